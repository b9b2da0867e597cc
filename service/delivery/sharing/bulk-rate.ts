const highestPerSecond = 20_000;
const lowestPerSecond = 100;
const shrinkBy = 0.6;
const growBy = 1.05;
const judgedEveryMs = 100;
/** What may be sent at once after a pause. */
const burstMs = 20;
/** A wait counts as longer than usual when it is this much so. */
const risenBy = 1.5;
const risenByMs = 3;
const baselineWeight = 0.05;

/**
 * The rate that lanes with a backlog share. A backlog costs processor time, which no limit on
 * attempts under way bounds; so it gives way when deliveries that just came due begin to wait
 * longer than they usually do, and takes its share back slowly.
 */
export class BulkRate {
  readonly #now: () => number;
  #perSecond = highestPerSecond;
  #tokens = 0;
  #filledAt: number;
  #judgedAt: number;
  #baselineMs: number | null = null;
  #fresh = { count: 0, sumMs: 0 };

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
    this.#filledAt = now();
    this.#judgedAt = now();
  }

  get perSecond(): number {
    return this.#perSecond;
  }

  /** How long a delivery waited that came due just now. */
  noteFresh(waitedMs: number): void {
    this.#fresh.count += 1;
    this.#fresh.sumMs += waitedMs;
  }

  /** Whether a delivery of a backlog may go now; if so, it is counted. */
  take(): boolean {
    const now = this.#now();
    if (now - this.#judgedAt >= judgedEveryMs) this.#judge(now);
    const most = Math.max(1, (this.#perSecond * burstMs) / 1000);
    const earned = ((now - this.#filledAt) * this.#perSecond) / 1000;
    this.#tokens = Math.min(most, this.#tokens + earned);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #judge(now: number): void {
    const { count, sumMs } = this.#fresh;
    this.#fresh = { count: 0, sumMs: 0 };
    this.#judgedAt = now;
    const meanMs = count === 0 ? null : sumMs / count;
    const usualMs = this.#baselineMs ?? meanMs;
    if (meanMs !== null && usualMs !== null && meanMs > usualMs * risenBy + risenByMs) {
      this.#perSecond = Math.max(lowestPerSecond, this.#perSecond * shrinkBy);
      return;
    }
    this.#perSecond = Math.min(highestPerSecond, this.#perSecond * growBy);
    if (meanMs !== null && usualMs !== null) {
      this.#baselineMs = usualMs + (meanMs - usualMs) * baselineWeight;
    }
  }
}
