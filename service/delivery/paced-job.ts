/**
 * Runs an act on request, never twice at a time, and with a pause between two runs. All requests
 * that come while it waits or runs are served by the next run.
 */
export class PacedJob {
  readonly #act: () => Promise<void>;
  readonly #gapMs: number;
  readonly #onError: (error: unknown) => void;
  #dueAt = Infinity;
  #restsUntil = 0;
  #cancel: (() => void) | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: {
    act: () => Promise<void>;
    gapMs?: number;
    onError: (error: unknown) => void;
  }) {
    this.#act = options.act;
    this.#gapMs = options.gapMs ?? 0;
    this.#onError = options.onError;
  }

  /** Runs within `delayMs`, or later if a run is in progress or the pause after it is not over. */
  request(delayMs = 0): void {
    const dueAt = performance.now() + delayMs;
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    this.#schedule();
  }

  /** Resolves when the current run, if any, has ended. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Starts no further run, and waits for the current one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#running;
  }

  #schedule(): void {
    if (this.#isStopped || this.#running || this.#dueAt === Infinity) return;
    this.#cancel?.();
    const waitMs = Math.max(this.#dueAt, this.#restsUntil) - performance.now();
    this.#cancel = later(waitMs, () => this.#run());
  }

  #run(): void {
    this.#cancel = null;
    this.#dueAt = Infinity;
    this.#running = this.#act()
      .catch(this.#onError)
      .finally(() => {
        this.#running = null;
        this.#restsUntil = performance.now() + this.#gapMs;
        this.#schedule();
      });
  }
}

/** Never runs immediately, so that requests in the same turn are served together. */
function later(waitMs: number, act: () => void): () => void {
  if (waitMs <= 0) {
    const immediate = setImmediate(act);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(act, Math.ceil(waitMs));
  return () => clearTimeout(timer);
}
