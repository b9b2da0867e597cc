import { Counts } from './counts.ts';

/** The part of what other keys leave that one key may use, so that the next one finds some. */
const shareOfRest = 3 / 4;
/** The part of the whole capacity that one key may use while another one waits. */
const shareWhileOthersWait = 1 / 4;

export type BudgetLimits = {
  capacity: number;
  /**
   * The most that one key may use. By default keys share fairly: a key alone may use most of the
   * capacity, but never all. The more the others use, the less it may use, so that nobody has to
   * wait until an earlier key has finished.
   */
  maxPerKey?: number;
  /** How much of each reservation does not count. */
  freeOfEach?: number;
};

/** A capacity, such as bytes of memory, that keys such as accounts use at the same time. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #usedBy = new Counts();
  #used = 0;
  #waiting = new Set<string>();
  #waitedBefore = new Set<string>();

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#limits.capacity - this.#used;
  }

  usedBy(key: string): number {
    return this.#usedBy.of(key);
  }

  /** How much a key may use now, including what it already uses. */
  limitFor(key: string): number {
    const { capacity, maxPerKey } = this.#limits;
    const rest = this.free + this.usedBy(key);
    if (maxPerKey !== undefined) return Math.min(rest, maxPerKey);
    const max = Math.max(0, Math.ceil(rest * shareOfRest));
    if (!this.#isAnotherWaiting(key)) return max;
    return Math.min(max, Math.ceil(capacity * shareWhileOthersWait));
  }

  /** @param amount how much more the key uses, regardless of its limit; negative: how much less */
  add(key: string, amount: number): void {
    this.#used += amount;
    this.#usedBy.add(key, amount);
  }

  /** Opens a reservation of nothing yet, for something that grows while it arrives. */
  reserve(key: string): Reservation {
    const { freeOfEach = 0 } = this.#limits;
    let held = 0;
    return {
      growTo: (amount) => {
        const added = Math.max(0, amount - freeOfEach) - held;
        if (added > 0 && added > this.limitFor(key) - this.usedBy(key)) return false;
        this.add(key, added);
        held += added;
        return true;
      },
      release: () => {
        this.add(key, -held);
        held = 0;
      },
    };
  }

  /** Records that a key wants more than it may use. It counts until the next round ends. */
  noteWaiting(key: string): void {
    this.#waiting.add(key);
  }

  /** Begins a round, in which every waiting key asks again. */
  beginRound(): void {
    this.#waitedBefore = this.#waiting;
    this.#waiting = new Set();
  }

  #isAnotherWaiting(key: string): boolean {
    return hasAnother(this.#waiting, key) || hasAnother(this.#waitedBefore, key);
  }
}

export type Reservation = {
  /** Reserves this amount in all; false if that is more than the key may use. */
  growTo: (amount: number) => boolean;
  release: () => void;
};

function hasAnother(keys: ReadonlySet<string>, key: string): boolean {
  return keys.size > (keys.has(key) ? 1 : 0);
}
