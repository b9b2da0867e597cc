import type { Logger } from '../log/log.ts';

/** A part of the process that was started, and has to be stopped before the process ends. */
type Part = {
  name: string;
  stop: () => Promise<void>;
  /** It waits for clients or receivers: such parts are stopped first, and at the same time. */
  waitsForOthers?: boolean;
};

/**
 * How long all of it may take. An operator is promised 20 s; what waits for others needs at most 15,
 * the limit of one delivery attempt.
 */
const defaultLimitMs = 18_000;

/** Ends the process in order: parts that wait for others, then the rest, the latest started first. */
export class Shutdown {
  readonly #exit: (code: number) => void;
  readonly #limitMs: number;
  readonly #parts: Part[] = [];
  #log: Logger | null = null;
  #exitCode = 0;
  #isStopping = false;

  constructor(exit: (code: number) => void, limitMs = defaultLimitMs) {
    this.#exit = exit;
    this.#limitMs = limitMs;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Where to say what does not stop cleanly. */
  logTo(log: Logger): void {
    this.#log = log;
  }

  add(part: Part): void {
    this.#parts.push(part);
  }

  /**
   * Stops every part and ends the process, with 0 only if each call said so and each part stopped
   * cleanly. A part that does not stop in time is left as a crash would leave it: nothing that was
   * acknowledged is lost by that.
   */
  async end(exitCode: 0 | 1): Promise<void> {
    this.#exitCode = Math.max(this.#exitCode, exitCode);
    if (this.#isStopping) return;
    this.#isStopping = true;
    const running = new Set<string>();
    const timer = setTimeout(() => {
      this.#log?.error({ parts: [...running] }, 'the stop takes too long; the process ends now');
      this.#exit(1);
    }, this.#limitMs);

    const first = this.#parts.filter(({ waitsForOthers }) => waitsForOthers);
    const rest = this.#parts.filter(({ waitsForOthers }) => !waitsForOthers);
    await Promise.all(first.map((part) => this.#stop(part, running)));
    for (const part of rest.toReversed()) await this.#stop(part, running);
    clearTimeout(timer);
    this.#exit(this.#exitCode);
  }

  /** A part that fails to stop does not keep the others up. */
  async #stop({ name, stop }: Part, running: Set<string>): Promise<void> {
    running.add(name);
    try {
      await stop();
    } catch (error) {
      this.#exitCode = 1;
      this.#log?.error({ err: error }, `${name} did not stop cleanly`);
    }
    running.delete(name);
  }
}
