import type { Limiter } from '#service/limiter/limiter.ts';

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
