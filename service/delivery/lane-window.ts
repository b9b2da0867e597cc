const firstSize = 8;
const firstSizeAfterFailure = 2;
/** As many as the sender opens connections for one webhook. */
const largestSize = 32;
const longestPauseMs = 60_000;

/** How an attempt ended, as far as it says how many a receiver can take at once. */
export type Ending = 'success' | 'timeout' | 'other';

/**
 * How many attempts of a lane may be under way at once. It halves with each time-out and grows with
 * each success; where even one at a time runs into time-outs, the lane pauses for longer and longer.
 */
export class LaneWindow {
  #size: number;
  #timeoutsAlone = 0;

  constructor(isFailing: boolean) {
    this.#size = isFailing ? firstSizeAfterFailure : firstSize;
  }

  get size(): number {
    return this.#size;
  }

  /** @returns for how many milliseconds to send nothing */
  note(ending: Ending): number {
    if (ending === 'success') {
      this.#timeoutsAlone = 0;
      this.#size = Math.min(this.#size + 1, largestSize);
    }
    if (ending !== 'timeout') return 0;
    if (this.#size > 1) {
      this.#size = Math.floor(this.#size / 2);
      return 0;
    }
    this.#timeoutsAlone += 1;
    return Math.min(1000 * 2 ** this.#timeoutsAlone, longestPauseMs);
  }
}
