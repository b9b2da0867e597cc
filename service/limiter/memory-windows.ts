import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** The limit of calls for `key` in a window of `bucket`. */
export type Allowance = {
  /** The name of the limit. The same `key` in another bucket is counted separately. */
  bucket: string;
  key: string;
  /** How many calls a window allows. */
  size: number;
  windowSeconds: number;
};

/**
 * How many calls the current window of an allowance has counted, including this one unless it was
 * refused, and when it ends.
 */
export type WindowCount<Of extends Allowance> = {
  allowance: Of;
  consumed: number;
  msUntilReset: number;
};

/** Whether the call was counted, and the window of each allowance. */
export type Counted<Of extends Allowance> = { allowed: boolean; counts: WindowCount<Of>[] };

type Window = { consumed: number; endsAt: number };

/**
 * Fixed windows in this process. A window begins with its first call and ends after its length.
 *
 * Each bucket has its own table of limited size, which evicts the least recently used window first.
 * So a flood of invented addresses in one bucket takes limited memory and evicts nothing from
 * another.
 */
export class MemoryWindows {
  readonly #clock: Clock;
  readonly #maxPerBucket: number;
  readonly #buckets = new Map<string, LRUCache<string, Window>>();

  constructor(options: { clock: Clock; maxPerBucket?: number }) {
    this.#clock = options.clock;
    this.#maxPerBucket = options.maxPerBucket ?? 50_000;
  }

  /** Counts a call in all of these windows, or in none of them if one is full. */
  countAll<Of extends Allowance>(allowances: readonly Of[]): Counted<Of> {
    const now = this.#clock.now().getTime();
    const current = allowances.map((allowance) => {
      const windows = this.#windows(allowance.bucket);
      const known = windows.get(allowance.key);
      const endsAt = now + allowance.windowSeconds * 1000;
      // A window that would end later than a new one began before the clock was set back.
      const isCurrent = known !== undefined && known.endsAt > now && known.endsAt <= endsAt;
      const window = isCurrent ? known : { consumed: 0, endsAt };
      return { windows, window, isCurrent, allowance };
    });
    const allowed = current.every(({ window, allowance }) => window.consumed < allowance.size);
    if (allowed) {
      for (const { windows, window, isCurrent, allowance } of current) {
        window.consumed += 1;
        if (!isCurrent) windows.set(allowance.key, window);
      }
    }
    const counts = current.map(({ window, allowance }) => ({
      allowance,
      consumed: window.consumed,
      msUntilReset: window.endsAt - now,
    }));
    return { allowed, counts };
  }

  /** Removes one call from each of these windows, as if it had not been counted. */
  giveBackAll(allowances: readonly Allowance[]): void {
    for (const { bucket, key } of allowances) {
      const window = this.#windows(bucket).get(key);
      if (window && window.consumed > 0) window.consumed -= 1;
    }
  }

  #windows(bucket: string): LRUCache<string, Window> {
    const known = this.#buckets.get(bucket);
    if (known) return known;
    // With `max`, the cache would allocate all its memory at once, and a call would wait for that.
    const made = new LRUCache<string, Window>({
      maxSize: this.#maxPerBucket,
      sizeCalculation: () => 1,
    });
    this.#buckets.set(bucket, made);
    return made;
  }
}
