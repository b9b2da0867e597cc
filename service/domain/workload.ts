import type { AccountId } from './account-id.ts';
import { ServiceError } from './errors.ts';
import { holdBackRefusal } from './hold-back-refusal.ts';

/**
 * How many calls of keys a process works on at once, and of those for one account. Beyond it the
 * queue for the database only grows: at 1,000 calls a second, the last of 400 waits 0.4 s.
 */
export const usualWorkload = { mostAtOnce: 400, mostOfAccount: 200 };

/**
 * The calls that are being carried out. One too many is refused within a moment, in place of waiting
 * with all others until its client gives up, and one account cannot take the place of all.
 */
export class Workload {
  readonly #most: typeof usualWorkload;
  readonly #ofAccount = new Map<AccountId, number>();
  #all = 0;

  constructor(most = usualWorkload) {
    this.#most = most;
  }

  /** Works for an account. @throws ServiceError UNAVAILABLE if too much is under way already */
  async run<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    if (!this.hasRoom(accountId)) await this.refuse();
    const ofAccount = this.#ofAccount.get(accountId) ?? 0;
    this.#all += 1;
    this.#ofAccount.set(accountId, ofAccount + 1);
    try {
      return await work();
    } finally {
      this.#all -= 1;
      this.#leave(accountId);
    }
  }

  /** Whether the account may have one more call under way. */
  hasRoom(accountId: AccountId): boolean {
    const ofAccount = this.#ofAccount.get(accountId) ?? 0;
    return this.#all < this.#most.mostAtOnce && ofAccount < this.#most.mostOfAccount;
  }

  /** @throws ServiceError UNAVAILABLE, after a moment */
  async refuse(): Promise<never> {
    await holdBackRefusal();
    throw new ServiceError('UNAVAILABLE');
  }

  #leave(accountId: AccountId): void {
    const left = (this.#ofAccount.get(accountId) ?? 0) - 1;
    if (left > 0) this.#ofAccount.set(accountId, left);
    else this.#ofAccount.delete(accountId);
  }
}
