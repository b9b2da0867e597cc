/** Few, until it is known how long the receiver takes: many webhooks may begin at once. */
const firstSize = 2;
/** As many as the sender opens connections for one webhook. */
const largestSize = 32;
const longestPauseMs = 60_000;
/** An answer that took so long says what a time-out says: it was too much, or too hard. */
const slowAnswerMs = 5000;
/** From this answer time on, the more time the fewer at once. */
const steadyAnswerMs = 1000;
/** What the latest answer counts in the average. */
const latestWeight = 1 / 4;

/** How an attempt ended, as far as it says how many a receiver can take at once. */
export type Ending = 'success' | 'timeout' | 'other';

/** How long a receiver takes to answer: more than it should, or not; unknown before it has. */
export type Speed = 'slow' | 'unknown' | 'fast';

/**
 * How many attempts of a lane may be under way at once. It halves with each time-out or slow answer,
 * grows with each success, and is never more than the answer time allows: who takes many seconds for
 * an answer gets few requests at once. Where even one at a time runs into time-outs, the lane pauses
 * for longer and longer.
 */
export class LaneWindow {
  #size = firstSize;
  #timeoutsAlone = 0;
  /** Null before the first answer. */
  #averageMs: number | null = null;
  readonly #beganFailing: boolean;

  constructor(isFailing: boolean) {
    this.#beganFailing = isFailing;
  }

  get size(): number {
    const cap = Math.floor((largestSize * steadyAnswerMs) / Math.max(this.#averageMs ?? 0, 1));
    return Math.max(1, Math.min(this.#size, cap, largestSize));
  }

  /** How fast it answers; of one that fails it is not expected to be fast. */
  get speed(): Speed {
    if (this.#averageMs === null) return this.#beganFailing ? 'slow' : 'unknown';
    return this.#averageMs > steadyAnswerMs ? 'slow' : 'fast';
  }

  /** @returns for how many milliseconds to send nothing */
  note(ending: Ending, durationMs: number): number {
    this.#averageMs ??= durationMs;
    this.#averageMs += (durationMs - this.#averageMs) * latestWeight;
    if (ending === 'success') this.#timeoutsAlone = 0;
    const isTooSlow = ending === 'timeout' || durationMs >= slowAnswerMs;
    if (isTooSlow && this.#size > 1) {
      this.#size = Math.floor(this.#size / 2);
      return 0;
    }
    if (ending === 'success' && !isTooSlow) this.#size = Math.min(this.#size + 1, largestSize);
    if (ending !== 'timeout') return 0;
    this.#timeoutsAlone += 1;
    return Math.min(1000 * 2 ** this.#timeoutsAlone, longestPauseMs);
  }
}
