import { Counts } from './counts.ts';
import { FairShare } from './fair-share.ts';
import type { Speed } from './lane-window.ts';

/**
 * Of what an account may use, so much at most is for those of its webhooks that answer slowly, and so
 * much for those together with the ones that have not answered yet. The rest is kept for the fast.
 */
const shareOfSlow = 3 / 4;
const shareOfDoubtful = 7 / 8;

export type SocketLimits = {
  /** In all. */
  sockets: number;
  /** To one origin, whatever number of webhooks point there. */
  socketsPerOrigin: number;
};

/** A lane that asks for a place for one more attempt. */
export type PlaceTaker = {
  accountId: string;
  /** Scheme, host and port of its webhook. */
  origin: string;
  /** Attempts that have begun and not ended. */
  inFlight: number;
  speed: Speed;
};

/**
 * The sockets that attempts use, shared fairly: those in all and those to one origin between
 * accounts, an account's between its lanes. A place is taken when an attempt begins: what waits for
 * one holds none.
 */
export class SocketPlaces {
  readonly #perOrigin: number;
  readonly #all: FairShare;
  readonly #origins = new Map<string, FairShare>();
  /** Taken by lanes that are slow, or may be: of an account, and of an account at an origin. */
  readonly #slow = new Counts();
  readonly #doubtful = new Counts();

  constructor({ sockets, socketsPerOrigin }: SocketLimits) {
    this.#all = new FairShare(sockets);
    this.#perOrigin = socketsPerOrigin;
  }

  get used(): number {
    return this.#all.used;
  }

  /** Between two rounds of asking, who waits is found out anew. */
  beginRound(): void {
    this.#all.beginRound();
  }

  isFreeFor(lane: PlaceTaker): boolean {
    const { accountId, origin } = lane;
    if (!this.#isWithin(this.#all, lane, accountId)) {
      this.#all.noteWaiting(accountId);
      return false;
    }
    const atOrigin = this.#origins.get(origin) ?? new FairShare(this.#perOrigin);
    return this.#isWithin(atOrigin, lane, keyOf(lane));
  }

  /** Takes a place; what is returned gives it back. */
  take(lane: PlaceTaker): () => void {
    // As they are now: a webhook may be changed, and become slow, while it is called.
    const { accountId, origin, speed } = lane;
    const key = keyOf(lane);
    const atOrigin = this.#origins.get(origin) ?? new FairShare(this.#perOrigin);
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

  /** A lane has at most as many as it leaves free to the other lanes of its account. */
  #isWithin(share: FairShare, { accountId, inFlight, speed }: PlaceTaker, key: string): boolean {
    const most = share.limitFor(accountId);
    if (inFlight >= most - share.usedBy(accountId)) return false;
    if (speed === 'fast') return true;
    if (this.#doubtful.of(key) >= partOf(most, shareOfDoubtful)) return false;
    return speed === 'unknown' || this.#slow.of(key) < partOf(most, shareOfSlow);
  }
}

function partOf(most: number, share: number): number {
  return Math.max(1, Math.floor(most * share));
}

function keyOf({ accountId, origin }: PlaceTaker): string {
  return `${accountId} ${origin}`;
}
