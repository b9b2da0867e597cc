import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Counts } from '../../concurrency/counts.ts';
import type { AccountId } from '../account-id.ts';
import { ServiceError } from '../errors.ts';

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

/**
 * Limits in bytes: how much memory a process uses for bodies that are still arriving, and how much
 * of that for one account. The first `freeOfEach` bytes of each body do not count; they are about
 * as much as a connection needs anyway. Ordinary bodies are therefore read even if others send
 * large ones slowly.
 */
export const defaultBodyRoom = {
  maxBytes: 64 * 1_048_576,
  maxPerAccount: 16 * 1_048_576,
  freeOfEach: 16_384,
};

/**
 * Memory for the bodies that are being read. Without a limit, clients that send thousands of large
 * bodies slowly would fill the memory. A sender is an account or, before that is known, an address.
 */
export class BodyRoom {
  readonly #limits: typeof defaultBodyRoom;
  readonly #ofSender = new Counts();
  #all = 0;

  constructor(limits: typeof defaultBodyRoom) {
    this.#limits = limits;
  }

  /**
   * Reserves memory for a body that grows from `from` to `to` bytes; false if there is not enough.
   */
  grow(sender: string, from: number, to: number): boolean {
    const added = this.#counted(to) - this.#counted(from);
    if (added === 0) return true;
    const { maxBytes, maxPerAccount } = this.#limits;
    if (this.#all + added > maxBytes) return false;
    if (this.#ofSender.of(sender) + added > maxPerAccount) return false;
    this.#all += added;
    this.#ofSender.add(sender, added);
    return true;
  }

  /** Releases the memory of a body of this size. */
  leave(sender: string, bytes: number): void {
    const counted = this.#counted(bytes);
    if (counted === 0) return;
    this.#all -= counted;
    this.#ofSender.add(sender, -counted);
  }

  #counted(bytes: number): number {
    return Math.max(0, bytes - this.#limits.freeOfEach);
  }
}

/**
 * Limits on reads that may take seconds, such as a month's statistics of a busy webhook: how many a
 * process has in progress, how many for one account, and how many may wait for one account. On
 * PostgreSQL, all calls of a process share ten connections; these reads use three of them at most.
 */
export const defaultHeavyReads = { maxConcurrent: 3, maxPerKey: 2, maxQueuedPerKey: 100 };

const groupMs = 5;
const maxGroupsAhead = 3;

/** By number: the moments at which the refusals of a group are sent. */
const groups = new Map<number, Promise<void>>();

/**
 * Refuses a call because too many are in progress, after a random delay of at most 15 ms. Many
 * clients retry at once, and would take processor time from the calls in progress. Refusals are
 * sent in groups: one right after the other, they take less processor time than one at a time.
 *
 * @throws ServiceError UNAVAILABLE
 */
export async function refuseAsUnavailable(): Promise<never> {
  const nowMs = performance.now();
  const number = Math.floor(nowMs / groupMs) + 1 + randomInt(maxGroupsAhead);
  let group = groups.get(number);
  if (!group) {
    group = pause(number * groupMs - nowMs).then(() => void groups.delete(number));
    groups.set(number, group);
  }
  await group;
  throw new ServiceError('UNAVAILABLE');
}
