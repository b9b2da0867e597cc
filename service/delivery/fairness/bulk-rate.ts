import type { Speed } from './lane-window.ts';

const highestPerSecond = 20_000;
const lowestPerSecond = 100;
const shrinkBy = 0.6;
const growBy = 1.05;
const adjustEveryMs = 100;
/** What may be sent at once after a pause. */
const burstMs = 20;
/** A wait counts as longer than usual when it is this much so. */
const risenBy = 1.5;
const risenByMs = 3;
const baselineWeight = 0.05;
/** Where the rate of first requests begins, and begins again after a pause. */
const firstRequestsPerSecond = 250;
/** After so long without a fresh delivery, the backlog need not give way. */
const freshForMs = 1000;

/**
 * The rate that lanes with a backlog share. A backlog costs processor time, which no limit on
 * attempts under way bounds; so it gives way when deliveries that just came due begin to wait
 * longer than they usually do, and takes its share back slowly.
 *
 * Receivers that have not answered yet have a lower rate beside fresh deliveries. Each costs a
 * connection, and a hundred of them that become due at the same moment, as after a pause, would all
 * begin before the first wait can be noticed.
 */
export class BulkRate {
  readonly #now: () => number;
  readonly #all: Bucket;
  readonly #firstRequests: Bucket;
  #adjustedAt: number;
  #freshAt = -Infinity;
  #baselineMs: number | null = null;
  #fresh = { count: 0, sumMs: 0 };

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
    this.#adjustedAt = now();
    this.#all = new Bucket(highestPerSecond, now());
    this.#firstRequests = new Bucket(firstRequestsPerSecond, now());
  }

  get perSecond(): number {
    return this.#all.perSecond;
  }

  /** How long a delivery waited that came due just now. */
  noteFresh(waitedMs: number): void {
    this.#fresh.count += 1;
    this.#fresh.sumMs += waitedMs;
    this.#freshAt = this.#now();
  }

  /** Whether a delivery of a backlog may go now; if so, it is counted. */
  take(speed: Speed): boolean {
    const now = this.#now();
    if (now - this.#adjustedAt >= adjustEveryMs) this.#adjustRate(now);
    const isLimitedFurther = speed === 'unknown' && now - this.#freshAt < freshForMs;
    if (!isLimitedFurther) return this.#all.take(now);
    if (now - this.#firstRequests.takenAt > freshForMs) {
      this.#firstRequests.perSecond = firstRequestsPerSecond;
    }
    return this.#firstRequests.has(now) && this.#all.take(now) && this.#firstRequests.take(now);
  }

  #adjustRate(now: number): void {
    const { count, sumMs } = this.#fresh;
    this.#fresh = { count: 0, sumMs: 0 };
    this.#adjustedAt = now;
    const meanMs = count === 0 ? null : sumMs / count;
    const defaultMs = this.#baselineMs ?? meanMs;
    const hasRisen =
      meanMs !== null && defaultMs !== null && meanMs > defaultMs * risenBy + risenByMs;
    for (const bucket of [this.#all, this.#firstRequests]) {
      bucket.changeBy(hasRisen ? shrinkBy : growBy);
    }
    if (!hasRisen && meanMs !== null && defaultMs !== null) {
      this.#baselineMs = defaultMs + (meanMs - defaultMs) * baselineWeight;
    }
  }
}

/** A token bucket that holds what its rate earns in `burstMs`, and at least one token. */
class Bucket {
  perSecond: number;
  /** When a token was taken last. */
  takenAt = -Infinity;
  #tokens = 0;
  #filledAt: number;

  constructor(perSecond: number, now: number) {
    this.perSecond = perSecond;
    this.#filledAt = now;
  }

  changeBy(factor: number): void {
    const changed = this.perSecond * factor;
    this.perSecond = Math.min(highestPerSecond, Math.max(lowestPerSecond, changed));
  }

  has(now: number): boolean {
    const most = Math.max(1, (this.perSecond * burstMs) / 1000);
    const earned = ((now - this.#filledAt) * this.perSecond) / 1000;
    this.#tokens = Math.min(most, this.#tokens + earned);
    this.#filledAt = now;
    return this.#tokens >= 1;
  }

  take(now: number): boolean {
    if (!this.has(now)) return false;
    this.#tokens -= 1;
    this.takenAt = now;
    return true;
  }
}
