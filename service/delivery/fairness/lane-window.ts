/** Small until the response time is known, because many webhooks may begin at the same time. */
const firstSize = 2;
/** As large as the number of connections that the sender opens for one webhook. */
const largestSize = 32;
const maxPauseMs = 60_000;
/** A response that takes this long is treated like a time-out. */
const slowResponseMs = 5000;
/** Above this response time, the window shrinks in proportion. */
const fullWindowResponseMs = 1000;
/** Weight of the latest response in the moving average. */
const latestWeight = 1 / 4;

/** How an attempt ended, as far as it affects the size of the window. */
export type Ending = 'success' | 'timeout' | 'other';

/** Whether a receiver responds quickly; unknown before its first response. */
export type Speed = 'slow' | 'unknown' | 'fast';

/**
 * How many attempts of a lane may run at the same time. The number halves with each time-out or
 * slow response, and grows by one with each success. It is capped by the average response time: a
 * receiver that takes seconds to respond gets few requests at a time. If single requests time out
 * too, the lane pauses, each time for twice as long.
 */
export class LaneWindow {
  #size = firstSize;
  #timeoutsAlone = 0;
  /** Null before the first response. */
  #averageMs: number | null = null;
  readonly #beganFailing: boolean;

  constructor(isFailing: boolean) {
    this.#beganFailing = isFailing;
  }

  get size(): number {
    const cap = Math.floor(
      (largestSize * fullWindowResponseMs) / Math.max(this.#averageMs ?? 0, 1),
    );
    return Math.max(1, Math.min(this.#size, cap, largestSize));
  }

  /** How fast the receiver responds. A receiver that was failing is expected to be slow. */
  get speed(): Speed {
    if (this.#averageMs === null) return this.#beganFailing ? 'slow' : 'unknown';
    return this.#averageMs > fullWindowResponseMs ? 'slow' : 'fast';
  }

  /** Adjusts the window to the end of an attempt. @returns how many milliseconds to pause */
  note(ending: Ending, durationMs: number): number {
    this.#averageMs ??= durationMs;
    this.#averageMs += (durationMs - this.#averageMs) * latestWeight;
    if (ending === 'success') this.#timeoutsAlone = 0;
    const isTooSlow = ending === 'timeout' || durationMs >= slowResponseMs;
    if (isTooSlow && this.#size > 1) {
      this.#size = Math.floor(this.#size / 2);
      return 0;
    }
    if (ending === 'success' && !isTooSlow) this.#size = Math.min(this.#size + 1, largestSize);
    if (ending !== 'timeout') return 0;
    this.#timeoutsAlone += 1;
    return Math.min(1000 * 2 ** this.#timeoutsAlone, maxPauseMs);
  }
}

/** How many windows are kept of lanes that are not held now. */
const windowsRemembered = 10_000;

/** Also of lanes that are not held, so that a slow receiver keeps its small window. */
export class LaneWindows {
  /** By webhook id, in order of use: the last entry was used most recently. */
  readonly #windows = new Map<number, LaneWindow>();

  /** The window of a lane, which is made if there is none. */
  of({ webhookId, isFailing }: { webhookId: number; isFailing: boolean }): LaneWindow {
    const window = this.#windows.get(webhookId) ?? new LaneWindow(isFailing);
    this.#windows.delete(webhookId);
    this.#windows.set(webhookId, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > windowsRemembered && oldest !== undefined) {
      this.#windows.delete(oldest);
    }
    return window;
  }
}
