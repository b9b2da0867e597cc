import { Counts } from '../../concurrency/counts.ts';
import type { AccountId } from '../account-id.ts';
import { BodyRoom, defaultBodyRoom } from './body-room.ts';
import { refuseAsUnavailable } from './refuse-as-unavailable.ts';

/**
 * How many calls of keys a process handles at once, and how many for one account. Above that, only
 * the queue for the database would grow. While more than twice `maxPerTurn` calls are in progress,
 * at most `maxPerTurn` of them begin in one turn of the event loop, so that calls that arrive in
 * the meantime get their response or refusal sooner.
 */
export const defaultWorkload = { maxConcurrent: 400, maxPerAccount: 200, maxPerTurn: 32 };

/**
 * Limits the API calls in progress. A call over the limit is refused at once instead of waiting until
 * its client gives up, and no account can take every place. If more calls arrive in one turn of the
 * event loop than begin in it, accounts are served in turn.
 */
export class Workload {
  /** Limits the bodies that are read before their calls are carried out. */
  readonly bodies: BodyRoom;
  readonly #limits: typeof defaultWorkload;
  readonly #ofAccount = new Counts();
  #all = 0;
  #startsLeft: number;
  /** By account, the next account first: callbacks that begin the waiting calls. */
  readonly #waiting = new Map<AccountId, (() => void)[]>();

  constructor(limits: Partial<typeof defaultWorkload & { bodies: typeof defaultBodyRoom }> = {}) {
    const { bodies = defaultBodyRoom, ...calls } = limits;
    this.bodies = new BodyRoom(bodies);
    this.#limits = { ...defaultWorkload, ...calls };
    this.#startsLeft = this.#limits.maxPerTurn;
  }

  /**
   * Runs work for an account.
   * @throws ServiceError UNAVAILABLE if too many calls are already in progress
   */
  async run<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    if (!this.hasRoom(accountId)) await refuseAsUnavailable();
    this.#all += 1;
    this.#ofAccount.add(accountId, 1);
    try {
      if (this.#isCrowded() && !this.#mayBegin()) await this.#turnOf(accountId);
      return await work();
    } finally {
      this.#all -= 1;
      this.#ofAccount.add(accountId, -1);
    }
  }

  /** Whether the account may have one more call in progress. */
  hasRoom(accountId: AccountId): boolean {
    const { maxConcurrent, maxPerAccount } = this.#limits;
    return this.#all < maxConcurrent && this.#ofAccount.of(accountId) < maxPerAccount;
  }

  /**
   * With fewer calls, turns would split calls that arrive together, and each call would need more
   * processor time.
   */
  #isCrowded(): boolean {
    return this.#all > 2 * this.#limits.maxPerTurn;
  }

  #mayBegin(): boolean {
    if (this.#startsLeft === 0) return false;
    this.#startsLeft -= 1;
    if (this.#startsLeft === 0) setImmediate(() => this.#beginWaiting());
    return true;
  }

  async #turnOf(accountId: AccountId): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(accountId) ?? [];
    waiting.push(resolve);
    this.#waiting.set(accountId, waiting);
    await promise;
  }

  /** Begins calls that wait, one of each account in turn. */
  #beginWaiting(): void {
    this.#startsLeft = this.#limits.maxPerTurn;
    for (const [accountId, waiting] of this.#waiting) {
      if (!this.#mayBegin()) return;
      waiting.shift()?.();
      this.#waiting.delete(accountId);
      // If an entry is re-added while the map is iterated, the iteration reaches it again at the
      // end.
      if (waiting.length > 0) this.#waiting.set(accountId, waiting);
    }
  }
}
