import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** How many calls may be counted for `key` in a window of `bucket`. */
export type Allowance = {
  /** The name of the limit. The same `key` in another bucket is counted separately. */
  bucket: string;
  key: string;
  points: number;
  windowSeconds: number;
};

/** How many calls the current window has counted, this one included if it was, and when it ends. */
export type WindowCount = { consumed: number; msUntilReset: number };

/** Whether a call was counted, and each allowance's window, in the order in which they were given. */
export type Counted = { allowed: boolean; counts: WindowCount[] };

type Window = { consumed: number; endsAt: number };

/**
 * Fixed windows in this process. A window begins with its first call and ends after its length.
 *
 * Each bucket has its own table of bounded size, least recently used out first: a flood of invented
 * addresses in one bucket costs bounded memory and pushes nobody out of another.
 */
export class MemoryWindows {
  readonly #clock: Clock;
  readonly #maxPerBucket: number;
  readonly #buckets = new Map<string, LRUCache<string, Window>>();

  constructor(options: { clock: Clock; maxPerBucket?: number }) {
    this.#clock = options.clock;
    this.#maxPerBucket = options.maxPerBucket ?? 50_000;
  }

  /** Counts a call in all of these windows, or in none if one of them is full. */
  countAll(allowances: readonly Allowance[]): Counted {
    const now = this.#clock.now().getTime();
    const current = allowances.map((allowance) => {
      const windows = this.#windows(allowance.bucket);
      const known = windows.get(allowance.key);
      const endsAt = now + allowance.windowSeconds * 1000;
      // A window that would end later than a new one was begun before the clock went back.
      const isCurrent = known !== undefined && known.endsAt > now && known.endsAt <= endsAt;
      const window = isCurrent ? known : { consumed: 0, endsAt };
      return { windows, window, isCurrent, key: allowance.key, points: allowance.points };
    });
    const allowed = current.every(({ window, points }) => window.consumed < points);
    if (allowed) {
      for (const { windows, key, window, isCurrent } of current) {
        window.consumed += 1;
        if (!isCurrent) windows.set(key, window);
      }
    }
    const counts = current.map(({ window }) => ({
      consumed: window.consumed,
      msUntilReset: window.endsAt - now,
    }));
    return { allowed, counts };
  }

  /** Takes one call out of each of these windows, as if it had not been counted. */
  giveBackAll(allowances: readonly Allowance[]): void {
    for (const { bucket, key } of allowances) {
      const window = this.#windows(bucket).get(key);
      if (window && window.consumed > 0) window.consumed -= 1;
    }
  }

  #windows(bucket: string): LRUCache<string, Window> {
    const known = this.#buckets.get(bucket);
    if (known) return known;
    // With `max` it would take the room for all of them at once, and a call would wait for that.
    const made = new LRUCache<string, Window>({
      maxSize: this.#maxPerBucket,
      sizeCalculation: () => 1,
    });
    this.#buckets.set(bucket, made);
    return made;
  }
}
