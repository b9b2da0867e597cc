import type { Clock } from '../clock.ts';
import type { Context } from '../context.ts';
import type { Limiter } from '../limiter/limiter.ts';

/** What commands can reach: the service, with a clock and a limiter that they can change. */
export type ControlledContext = Context & { clock: MovableClock; limiter: ResettableLimiter };

/** The time of another clock, plus what a test has added. */
export class MovableClock implements Clock {
  readonly #clock: Clock;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Date {
    return new Date(this.#clock.now().getTime() + this.#aheadMs);
  }

  move(ms: number): void {
    this.#aheadMs += ms;
  }

  reset(): void {
    this.#aheadMs = 0;
  }
}

/** A limiter that can forget all it has counted. */
export class ResettableLimiter implements Limiter {
  readonly #make: () => Limiter;
  #current: Limiter;

  constructor(make: () => Limiter) {
    this.#make = make;
    this.#current = make();
  }

  consume: Limiter['consume'] = (uses) => this.#current.consume(uses);
  giveBack: Limiter['giveBack'] = (uses) => this.#current.giveBack(uses);
  close: Limiter['close'] = () => this.#current.close();

  async reset(): Promise<void> {
    await this.#current.close();
    this.#current = this.#make();
  }
}
