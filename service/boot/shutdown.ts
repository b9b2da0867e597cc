import type { Logger } from '../log/log.ts';

/** A started part of the process, which must be stopped before the process ends. */
type Part = {
  name: string;
  stop: () => Promise<void>;
  /** Whether it waits for clients or receivers. Such parts are stopped first and together. */
  waitsForOthers?: boolean;
};

/** How long a shutdown may take: 20 s are promised, and a delivery attempt may take 15 s. */
const defaultLimitMs = 18_000;

/** Ends first the parts that wait for others, then the rest, from the last started. */
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

  logTo(log: Logger): void {
    this.#log = log;
  }

  /** Adds a part. One that was still starting when the stop began is stopped immediately. */
  add(part: Part): void {
    if (this.#isStopping) void this.#stop(part, new Set());
    else this.#parts.push(part);
  }

  /**
   * Stops every part and ends the process. The exit code is 0 only if every call passed 0 and every
   * part stopped cleanly. A part that does not stop in time is left as a crash would leave it,
   * which loses nothing that was acknowledged.
   */
  async end(exitCode: 0 | 1): Promise<void> {
    this.#exitCode = Math.max(this.#exitCode, exitCode);
    if (this.#isStopping) return;
    this.#isStopping = true;
    const running = new Set<string>();
    const timer = setTimeout(() => {
      this.#log?.error({ parts: [...running] }, 'shutdown took too long: ending the process');
      this.#exit(1);
    }, this.#limitMs);

    const first = this.#parts.filter(({ waitsForOthers }) => waitsForOthers);
    const rest = this.#parts.filter(({ waitsForOthers }) => !waitsForOthers);
    await Promise.all(first.map((part) => this.#stop(part, running)));
    for (const part of rest.toReversed()) await this.#stop(part, running);
    clearTimeout(timer);
    this.#exit(this.#exitCode);
  }

  /** Stops a part. If it fails, the others are stopped anyway. */
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
