import { Counts } from '../../concurrency/counts.ts';

/**
 * The part of what other accounts leave that one account may use, so that the next one finds some.
 */
const shareOfRest = 3 / 4;
/** The part of the whole capacity that one account may use while another account waits. */
const shareWhileOthersWait = 1 / 4;

/**
 * A capacity that accounts share. An account alone may use most of it, but never all. The more the
 * others use, the less it may use, so that nobody has to wait until an earlier account has
 * finished.
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

  /** How much an account may use now, including what it already uses. */
  limitFor(account: string): number {
    const rest = this.free + this.usedBy(account);
    const max = Math.max(0, Math.ceil(rest * shareOfRest));
    if (!this.#isAnotherWaiting(account)) return max;
    return Math.min(max, Math.ceil(this.#capacity * shareWhileOthersWait));
  }

  /** @param amount how much more the account uses; negative: how much less */
  add(account: string, amount: number): void {
    this.#used += amount;
    this.#usedBy.add(account, amount);
  }

  /** Records that an account wants more than it may use. It counts until the next round ends. */
  noteWaiting(account: string): void {
    this.#waiting.add(account);
  }

  /** Begins a round, in which every waiting account is asked again. */
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
