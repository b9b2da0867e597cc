import { Budget } from '../../concurrency/budget.ts';
import { Counts } from '../../concurrency/counts.ts';
import type { Speed } from './lane-window.ts';

/**
 * Limits within what one account may use: at most this share is for its slow webhooks, and at most
 * `shareOfDoubtful` for these and the ones that have not responded yet. The rest is kept for fast
 * webhooks.
 */
const shareOfSlow = 3 / 4;
const shareOfDoubtful = 7 / 8;

export type SocketLimits = {
  sockets: number;
  /** The number of sockets to one origin, no matter how many webhooks point there. */
  socketsPerOrigin: number;
};

export type SocketRequest = {
  accountId: string;
  /** Scheme, host and port of its webhook. */
  origin: string;
  /** Attempts that have begun and not ended. */
  inFlight: number;
  speed: Speed;
};

/**
 * The sockets that attempts use. All sockets, and those to one origin, are shared fairly between
 * accounts; those of an account are shared between its lanes. An attempt takes a socket when it
 * begins; while it waits for one it holds none.
 */
export class Sockets {
  readonly #perOrigin: number;
  readonly #all: Budget;
  readonly #origins = new Map<string, Budget>();
  /** Sockets of lanes that are or may be slow, for each account, and for each at an origin. */
  readonly #slow = new Counts();
  readonly #doubtful = new Counts();

  constructor({ sockets, socketsPerOrigin }: SocketLimits) {
    this.#all = new Budget({ capacity: sockets });
    this.#perOrigin = socketsPerOrigin;
  }

  get used(): number {
    return this.#all.used;
  }

  /** Begins a round: which accounts wait for a socket is determined again. */
  beginRound(): void {
    this.#all.beginRound();
  }

  hasFree(lane: SocketRequest): boolean {
    const { accountId, origin } = lane;
    if (!this.#isWithin(this.#all, lane, accountId)) {
      this.#all.noteWaiting(accountId);
      return false;
    }
    const atOrigin = this.#origins.get(origin) ?? new Budget({ capacity: this.#perOrigin });
    return this.#isWithin(atOrigin, lane, keyOf(lane));
  }

  /** Takes a socket, and returns the function that releases it. */
  acquire(lane: SocketRequest): () => void {
    // Copied, because the webhook may change, or become slow, during the attempt.
    const { accountId, origin, speed } = lane;
    const key = keyOf(lane);
    const atOrigin = this.#origins.get(origin) ?? new Budget({ capacity: this.#perOrigin });
    this.#origins.set(origin, atOrigin);
    const add = (amount: 1 | -1) => {
      this.#all.add(accountId, amount);
      atOrigin.add(accountId, amount);
      for (const each of [accountId, key]) {
        if (speed !== 'fast') this.#doubtful.add(each, amount);
        if (speed === 'slow') this.#slow.add(each, amount);
      }
    };
    add(1);
    return () => {
      add(-1);
      if (atOrigin.used === 0) this.#origins.delete(origin);
    };
  }

  /** Whether a lane has fewer sockets than it leaves free to the other lanes of its account. */
  #isWithin(budget: Budget, { accountId, inFlight, speed }: SocketRequest, key: string): boolean {
    const max = budget.limitFor(accountId);
    if (inFlight >= max - budget.usedBy(accountId)) return false;
    if (speed === 'fast') return true;
    if (this.#doubtful.of(key) >= partOf(max, shareOfDoubtful)) return false;
    return speed === 'unknown' || this.#slow.of(key) < partOf(max, shareOfSlow);
  }
}

function partOf(max: number, share: number): number {
  return Math.max(1, Math.floor(max * share));
}

function keyOf({ accountId, origin }: SocketRequest): string {
  return `${accountId} ${origin}`;
}
