import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** How many calls the current window has counted, this one included, and when it ends. */
export type WindowCount = { consumed: number; msUntilReset: number };

const windowMs = 60_000;

type Window = { consumed: number; endsAt: number };

/**
 * Fixed windows in this process.
 *
 * Each bucket has its own table of bounded size, least recently used out first: a flood of
 * invented addresses in one bucket costs bounded memory and pushes nobody out of another.
 */
export class MemoryWindows {
  readonly #clock: Clock;
  readonly #maxPerBucket: number;
  readonly #buckets = new Map<string, LRUCache<string, Window>>();

  constructor(options: { clock: Clock; maxPerBucket?: number }) {
    this.#clock = options.clock;
    this.#maxPerBucket = options.maxPerBucket ?? 50_000;
  }

  count(bucket: string, key: string): WindowCount {
    const now = this.#clock.now().getTime();
    const windows = this.#windows(bucket);
    let window = windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { consumed: 0, endsAt: now + windowMs };
      windows.set(key, window);
    }
    window.consumed += 1;
    return { consumed: window.consumed, msUntilReset: window.endsAt - now };
  }

  #windows(bucket: string): LRUCache<string, Window> {
    const known = this.#buckets.get(bucket);
    if (known) return known;
    const made = new LRUCache<string, Window>({ max: this.#maxPerBucket });
    this.#buckets.set(bucket, made);
    return made;
  }
}
