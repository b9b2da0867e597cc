import { Counts } from './counts.ts';

/** The part of what others leave that one account may use, so that the next one finds some. */
const shareOfRest = 3 / 4;
/** Of the whole, while another has to wait. */
const shareWhileOthersWait = 1 / 4;

/**
 * A number of things that accounts share. One alone may use most of it but never all, and the more
 * others use, the less, so that nobody has to wait until somebody who came first has finished.
 */
export class FairShare {
  readonly #capacity: number;
  readonly #usedBy = new Counts();
  #used = 0;
  #waiting = new Set<string>();
  #waitedBefore = new Set<string>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#capacity - this.#used;
  }

  usedBy(account: string): number {
    return this.#usedBy.of(account);
  }

  /** How much an account may use at this moment, what it uses already included. */
  limitFor(account: string): number {
    const rest = this.free + this.usedBy(account);
    const most = Math.max(0, Math.ceil(rest * shareOfRest));
    if (!this.#isAnotherWaiting(account)) return most;
    return Math.min(most, Math.ceil(this.#capacity * shareWhileOthersWait));
  }

  /** @param amount what an account uses from now on beyond what it did; negative: less */
  add(account: string, amount: number): void {
    this.#used += amount;
    this.#usedBy.add(account, amount);
  }

  /** An account could use more than it may; counts until the round after this one ends. */
  noteWaiting(account: string): void {
    this.#waiting.add(account);
  }

  /** Every account that waits is asked again. */
  beginRound(): void {
    this.#waitedBefore = this.#waiting;
    this.#waiting = new Set();
  }

  #isAnotherWaiting(account: string): boolean {
    return hasAnother(this.#waiting, account) || hasAnother(this.#waitedBefore, account);
  }
}

function hasAnother(accounts: ReadonlySet<string>, account: string): boolean {
  return accounts.size > (accounts.has(account) ? 1 : 0);
}
