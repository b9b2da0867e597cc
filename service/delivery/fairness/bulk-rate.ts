import { Rate } from '../../concurrency/rate.ts';
import type { Speed } from './lane-window.ts';

/** At first, and at most, of all deliveries of a backlog. */
const maxPerSecond = 20_000;
/** After a pause, as much may be sent at a time as the rate allows in `burstMs`. */
const limits = { minPerSecond: 100, maxPerSecond, burstMs: 20 };
/** The rate of first requests at the start, and again after a pause. */
const firstRequestsPerSecond = 250;
const shrinkBy = 0.6;
const growBy = 1.05;
const adjustEveryMs = 100;
/** Fresh deliveries count as waiting longer than usual from this factor and this difference on. */
const risenBy = 1.5;
const risenByMs = 3;
const baselineWeight = 0.05;
/** If no delivery was fresh for this long, the backlog need not give way. */
const freshForMs = 1000;

/**
 * The rate that all lanes with a backlog share. A backlog costs processor time, which no limit on
 * concurrent attempts bounds. So this rate falls when deliveries that just came due begin to wait
 * longer than usual, and rises again slowly.
 *
 * Receivers that have not responded yet get a lower rate while there are fresh deliveries. Each of
 * them needs a new connection. If a hundred become due at the same moment, as after a pause, all
 * would begin before the first wait could be noticed.
 */
export class BulkRate {
  readonly #now: () => number;
  readonly #all: Rate;
  readonly #firstRequests: Rate;
  #adjustedAt: number;
  #freshAt = -Infinity;
  #baselineMs: number | null = null;
  #fresh = { count: 0, sumMs: 0 };

  /** @param now the time in milliseconds, of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
    this.#adjustedAt = now();
    this.#all = new Rate({ ...limits, perSecond: maxPerSecond }, now());
    this.#firstRequests = new Rate({ ...limits, perSecond: firstRequestsPerSecond }, now());
  }

  get perSecond(): number {
    return this.#all.perSecond;
  }

  /** Records how long a delivery waited that has just come due. */
  noteFresh(waitedMs: number): void {
    this.#fresh.count += 1;
    this.#fresh.sumMs += waitedMs;
    this.#freshAt = this.#now();
  }

  /** Whether a delivery of a backlog may be sent now. If so, it is counted. */
  take(speed: Speed): boolean {
    const now = this.#now();
    if (now - this.#adjustedAt >= adjustEveryMs) this.#adjustRate(now);
    const isLimitedFurther = speed === 'unknown' && now - this.#freshAt < freshForMs;
    if (!isLimitedFurther) return this.#all.take(now);
    if (now - this.#firstRequests.takenAt > freshForMs) {
      this.#firstRequests.reset();
    }
    return this.#firstRequests.has(now) && this.#all.take(now) && this.#firstRequests.take(now);
  }

  #adjustRate(now: number): void {
    const { count, sumMs } = this.#fresh;
    this.#fresh = { count: 0, sumMs: 0 };
    this.#adjustedAt = now;
    const meanMs = count === 0 ? null : sumMs / count;
    const baselineMs = this.#baselineMs ?? meanMs;
    const hasRisen =
      meanMs !== null && baselineMs !== null && meanMs > baselineMs * risenBy + risenByMs;
    for (const bucket of [this.#all, this.#firstRequests]) {
      bucket.changeBy(hasRisen ? shrinkBy : growBy);
    }
    if (!hasRisen && meanMs !== null && baselineMs !== null) {
      this.#baselineMs = baselineMs + (meanMs - baselineMs) * baselineWeight;
    }
  }
}
