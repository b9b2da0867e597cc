import { holdBackRefusal } from '../../hold-back-refusal.ts';
import { ServiceError } from '../../errors.ts';

/**
 * How many look-ups of unknown tokens a process has under way, and how many may wait for one address.
 * What is under way stands before the statements of all other calls: 16 take a few milliseconds.
 */
export const usualLookUps = { mostAtOnce: 16, mostWaitingOfAddress: 400 };

/**
 * The look-ups of tokens that this process does not know, few at a time. Anybody can make such a
 * token, its checksum included, and the limit on failed authentications counts a call only once its
 * token was looked up. Addresses take turns, so that one from which many wait holds up no other.
 */
export class TokenLookUps {
  readonly #most: typeof usualLookUps;
  /** By address, the one whose turn is next first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #underWay = 0;

  constructor(most = usualLookUps) {
    this.#most = most;
  }

  /** @throws ServiceError UNAVAILABLE if too many wait from this address already */
  async run<Result>(address: string, lookUp: () => Promise<Result>): Promise<Result> {
    if (this.#underWay < this.#most.mostAtOnce) this.#underWay += 1;
    else await this.#turn(address);
    try {
      return await lookUp();
    } finally {
      this.#passOn();
    }
  }

  async #turn(address: string): Promise<void> {
    const waiting = this.#waiting.get(address) ?? [];
    if (waiting.length >= this.#most.mostWaitingOfAddress) {
      await holdBackRefusal();
      throw new ServiceError('UNAVAILABLE');
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    this.#waiting.set(address, waiting);
    await promise;
  }

  /** Gives the place of a look-up that ended to the next one. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#underWay -= 1;
      return;
    }
    const [address, waiting] = next;
    waiting.shift()?.();
    this.#waiting.delete(address);
    if (waiting.length > 0) this.#waiting.set(address, waiting);
  }
}
