export type RateLimits = {
  perSecond: number;
  /** The lowest and the highest rate to which `changeBy` changes it. */
  minPerSecond: number;
  maxPerSecond: number;
  /** After a pause, as much may be taken as the rate allows in this time, but at least one. */
  burstMs: number;
};

/** A rate over time, which can be changed: a token bucket. */
export class Rate {
  readonly #limits: RateLimits;
  perSecond: number;
  /** When one was taken last. */
  takenAt = -Infinity;
  #tokens = 0;
  #filledAt: number;

  /** @param now a time in milliseconds, of a clock that never goes back; so in all methods */
  constructor(limits: RateLimits, now: number) {
    this.#limits = limits;
    this.perSecond = limits.perSecond;
    this.#filledAt = now;
  }

  changeBy(factor: number): void {
    const { minPerSecond, maxPerSecond } = this.#limits;
    this.perSecond = Math.min(maxPerSecond, Math.max(minPerSecond, this.perSecond * factor));
  }

  /** Sets the rate with which it began. */
  reset(): void {
    this.perSecond = this.#limits.perSecond;
  }

  /** Whether one may be taken now. */
  has(now: number): boolean {
    const max = Math.max(1, (this.perSecond * this.#limits.burstMs) / 1000);
    const earned = ((now - this.#filledAt) * this.perSecond) / 1000;
    this.#tokens = Math.min(max, this.#tokens + earned);
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
