import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Budget } from '../../concurrency/budget.ts';
import type { BudgetLimits } from '../../concurrency/budget.ts';
import { Slots } from '../../concurrency/slots.ts';
import type { AccountId } from '../account-id.ts';
import { ServiceError } from '../errors.ts';

/**
 * How many calls of keys a process handles at the same time, and how many for one account. Above
 * that, only the queue for the database would grow. While more than twice `maxPerTurn` calls are in
 * progress, at most `maxPerTurn` of them begin in one turn of the event loop, so that calls that
 * arrive in the meantime get their response or refusal sooner.
 */
export const defaultWorkload = { maxConcurrent: 400, maxPerAccount: 200, maxPerTurn: 32 };

/**
 * Limits the API calls in progress. A call over the limit is refused immediately instead of waiting
 * until its client gives up, and no account can take every slot. If more calls arrive in one turn
 * of the event loop than begin in it, accounts are served in turn.
 */
export class Workload {
  /** Limits the bodies that are read before their calls are carried out. */
  readonly bodies: Budget;
  readonly #calls: Slots<AccountId>;
  /** Each call that begins has one of these until the next turn of the event loop. */
  readonly #starts: Slots<AccountId>;
  readonly #maxPerTurn: number;

  constructor(limits: Partial<typeof defaultWorkload & { bodies: BudgetLimits }> = {}) {
    const { bodies = bodyMemory, ...calls } = limits;
    const { maxConcurrent, maxPerAccount, maxPerTurn } = { ...defaultWorkload, ...calls };
    this.bodies = new Budget(bodies);
    this.#calls = new Slots({
      maxConcurrent,
      maxPerKey: maxPerAccount,
      maxQueued: 0,
      refuse: refuseAsUnavailable,
    });
    this.#starts = new Slots({ maxConcurrent: maxPerTurn });
    this.#maxPerTurn = maxPerTurn;
  }

  /** Runs work for an account. @throws ServiceError UNAVAILABLE if too much is in progress */
  run<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    return this.#calls.run(accountId, async () => {
      // With fewer calls, turns would split calls that arrive together, and each call would need
      // more processor time.
      const isCrowded = this.#calls.used > 2 * this.#maxPerTurn;
      const start = isCrowded ? this.#starts.acquire(accountId) : null;
      const endStart = start instanceof Promise ? await start : start;
      if (endStart) setImmediate(endStart);
      return await work();
    });
  }

  /** Whether the account may have one more call in progress. */
  hasFree(accountId: AccountId): boolean {
    return this.#calls.hasFree(accountId);
  }
}

/**
 * Limits in bytes: how much memory a process uses for bodies that are still arriving, and how much
 * of that for one account or, before that is known, one address. The first `freeOfEach` bytes of
 * each body do not count; they are about as much as a connection needs anyway. Ordinary bodies are
 * therefore read even if others send large ones slowly.
 */
export const bodyMemory = {
  capacity: 64 * 1_048_576,
  maxPerKey: 16 * 1_048_576,
  freeOfEach: 16_384,
};

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
 * clients retry immediately, and would take processor time from the calls in progress. Refusals are
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
