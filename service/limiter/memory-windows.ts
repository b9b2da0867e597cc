import type { Clock } from '../clock.ts';
import { networkOf } from '../network/networks.ts';

/** The limit of calls for `key` in a window of `bucket`. */
export type Allowance = {
  /** The name of the limit. The same `key` in another bucket is counted separately. */
  bucket: string;
  key: string;
  /** The client address, if clients can invent keys; see `MemoryWindows`. */
  from?: string | undefined;
  /** How many calls a window allows. */
  size: number;
  windowSeconds: number;
};

/** Calls that the current window has counted, with this one unless refused, and its end. */
type WindowCount<Of extends Allowance> = {
  allowance: Of;
  consumed: number;
  msUntilReset: number;
};

/** Whether the call was counted, and the window of each allowance. */
export type Counted<Of extends Allowance> = { allowed: boolean; counts: WindowCount<Of>[] };

type Window = { consumed: number; endsAt: number };

/** The windows of a bucket: those of single keys, and those that networks share. */
type Bucket = { own: Map<string, Window>; shared: Map<string, Window> };

/** The window in which an allowance counts now; `isNew` if it has counted nothing yet. */
type Place = { windows: Map<string, Window>; key: string; window: Window; isNew: boolean };

/**
 * Fixed windows in this process. A window begins with its first call and ends after its length.
 *
 * Each bucket has its own tables of limited size, so a flood of invented addresses in one bucket
 * takes limited memory and changes nothing in another. While the table of a bucket is full, it keeps
 * its windows, and calls of new keys from one network count in one window together: if inventing
 * keys could remove a window that is at its limit, the limit would not hold. Keys that clients cannot
 * invent replace the window that began first.
 */
export class MemoryWindows {
  readonly #clock: Clock;
  readonly #maxPerTable: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: { clock: Clock; maxPerTable?: number }) {
    this.#clock = options.clock;
    this.#maxPerTable = options.maxPerTable ?? 50_000;
  }

  /** Counts a call in all of these windows, or in none of them if one is full. */
  countAll<Of extends Allowance>(allowances: readonly Of[]): Counted<Of> {
    const now = this.#clock.now().getTime();
    const current = allowances.map((allowance) => ({
      ...this.#placeOf(allowance, now),
      allowance,
    }));
    const allowed = current.every(({ window, allowance }) => window.consumed < allowance.size);
    if (allowed) {
      for (const { windows, key, window, isNew } of current) {
        window.consumed += 1;
        if (isNew) this.#add(windows, key, window);
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
    const now = this.#clock.now().getTime();
    for (const allowance of allowances) {
      const { window } = this.#placeOf(allowance, now);
      if (window.consumed > 0) window.consumed -= 1;
    }
  }

  #placeOf({ bucket, key, from, windowSeconds }: Allowance, now: number): Place {
    const lengthMs = windowSeconds * 1000;
    const { own, shared } = this.#bucket(bucket);
    const found = placeIn(own, key, { now, lengthMs });
    if (!found.isNew || from === undefined) return found;
    dropEnded(own, { now, lengthMs });
    if (own.size < this.#maxPerTable) return found;
    dropEnded(shared, { now, lengthMs });
    return placeIn(shared, networkOf(from), { now, lengthMs });
  }

  #add(windows: Map<string, Window>, key: string, window: Window): void {
    // So that windows are in the order in which they began, and thus end.
    windows.delete(key);
    if (windows.size >= this.#maxPerTable) {
      const [first] = windows.keys();
      if (first !== undefined) windows.delete(first);
    }
    windows.set(key, window);
  }

  #bucket(name: string): Bucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    const made = { own: new Map<string, Window>(), shared: new Map<string, Window>() };
    this.#buckets.set(name, made);
    return made;
  }
}

type Period = { now: number; lengthMs: number };

function placeIn(windows: Map<string, Window>, key: string, period: Period): Place {
  const known = windows.get(key);
  if (known && isCurrent(known, period)) return { windows, key, window: known, isNew: false };
  const window = { consumed: 0, endsAt: period.now + period.lengthMs };
  return { windows, key, window, isNew: true };
}

/** A window that would end later than a new one began before the clock was set back. */
function isCurrent({ endsAt }: Window, { now, lengthMs }: Period): boolean {
  return endsAt > now && endsAt <= now + lengthMs;
}

/** Removes the windows that have ended. All windows of a bucket have the same length. */
function dropEnded(windows: Map<string, Window>, period: Period): void {
  for (const [key, window] of windows) {
    if (isCurrent(window, period)) return;
    windows.delete(key);
  }
}
