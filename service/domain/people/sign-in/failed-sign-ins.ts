import { minuteMs } from '#lib/durations.ts';
import type { Clock } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { Logger } from '../../../log/log.ts';
import type { Origin } from '../../actor.ts';
import { processEach } from '../../process-each.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { claimFailedSignInEntry, listPeopleByEmail } from '../store/people.ts';

const flushIntervalMs = 30_000;

/** A person gets at most one entry in this time, in each of their accounts. */
const entryIntervalMs = 10 * minuteMs;

/**
 * A person with more accounts gets entries less often in proportion: otherwise one request of a
 * stranger who knows their email could cause thousands of entries in that time.
 */
const maxEntriesPerInterval = 50;

/** How many emails wait. Beyond half of them, they are looked up early; beyond all, one is lost. */
export const maxPendingEmails = 10_000;

/** How many addresses an entry lists. */
const maxAddresses = 10;

/** The names of the counts in an entry. */
export type FailedSignInReason = 'wrong_passwords' | 'wrong_second_factors' | 'refused_by_limits';

/** `email`: as `emailLimitKey` writes it. */
type FailedSignIn = { email: string; reason: FailedSignInReason; origin: Origin };

/** The failed sign-ins with an email that are not written yet. */
type Pending = {
  counts: Map<FailedSignInReason, number>;
  addresses: Set<string>;
  /** Of the latest one. */
  origin: Origin;
};

/** Nobody knows who it was. */
const someone: ActorReference = { kind: 'system', id: null, name: 'Someone' };

/**
 * Records failed sign-ins in the audit logs of the person's accounts, several as one entry. A
 * request does the same for an email that someone has as for one that nobody has, and waits for
 * nothing: it counts in memory. The emails are looked up every 30 seconds and on stop. What does not
 * fit in memory is counted in the log. A crash loses what was not written yet.
 */
export class FailedSignIns {
  readonly #options: { db: Db; clock: Clock; log: Logger };
  readonly #pending = new Map<string, Pending>();
  #lost = 0;
  #flushing: Promise<void> = Promise.resolve();
  #isFlushingEarly = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { db: Db; clock: Clock; log: Logger }) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), flushIntervalMs);
  }

  record({ email, reason, origin }: FailedSignIn): void {
    const pending = this.#pending.get(email) ?? { counts: new Map(), addresses: new Set(), origin };
    if (this.#pending.size >= maxPendingEmails && !this.#pending.has(email)) {
      this.#lost += 1;
      return;
    }
    this.#pending.set(email, pending);
    pending.counts.set(reason, (pending.counts.get(reason) ?? 0) + 1);
    if (pending.addresses.size < maxAddresses) pending.addresses.add(origin.ip);
    pending.origin = origin;
    if (this.#pending.size > maxPendingEmails / 2 && !this.#isFlushingEarly) {
      this.#isFlushingEarly = true;
      void this.flush().finally(() => (this.#isFlushingEarly = false));
    }
  }

  /**
   * Writes what is pending, after the write in progress. A person who had an entry a short time ago
   * waits for the next one.
   */
  async flush({ isLast = false } = {}): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writePending(isLast));
    await this.#flushing;
  }

  /** Writes what is pending, also of people who had an entry a short time ago. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.flush({ isLast: true });
  }

  async #writePending(isLast: boolean): Promise<void> {
    const { db, log } = this.#options;
    if (this.#lost > 0) log.error({ failed_sign_ins: this.#lost }, 'failed sign-ins not recorded');
    this.#lost = 0;
    const emails = [...this.#pending.keys()];
    if (emails.length === 0) return;
    try {
      const people = await listPeopleByEmail(db, emails);
      const known = new Set(people.map(({ email }) => email));
      for (const email of emails) if (!known.has(email)) this.#pending.delete(email);
      // Most of those who wait are people with a recent entry: they cost no transaction.
      const due = people.filter(
        (person) =>
          (person.failedSignInsRecordedAt?.getTime() ?? 0) <=
          this.#entryBefore(person, isLast).getTime(),
      );
      await processEach(due, {
        act: async (person) => await this.#write(person, isLast),
        log,
        failure: 'failed sign-ins not recorded yet',
        name: ({ id }) => ({ person_id: id }),
      });
    } catch (error) {
      log.error({ err: error }, 'failed sign-ins not recorded yet');
    }
  }

  #entryBefore({ accounts }: { accounts: number }, isLast: boolean): Date {
    const now = this.#options.clock.now();
    const intervals = Math.max(1, accounts / maxEntriesPerInterval);
    return isLast ? now : new Date(now.getTime() - intervals * entryIntervalMs);
  }

  async #write(
    person: { id: string; name: string; email: string; accounts: number },
    isLast: boolean,
  ) {
    const { db, clock } = this.#options;
    const pending = this.#pending.get(person.email);
    if (!pending) return;
    const now = clock.now();
    // What fails from here on belongs to the next entry.
    this.#pending.delete(person.email);
    const { counts, addresses, origin } = pending;
    let isWritten = false;
    try {
      isWritten = await db.transaction(async (tx) => {
        const entryBefore = this.#entryBefore(person, isLast);
        if (!(await claimFailedSignInEntry(tx, person.id, { now, entryBefore }))) return false;
        await recordInAccounts(tx, {
          person,
          by: someone,
          origin,
          action: 'session.sign_in_failed',
          now,
          changes: {
            failed_sign_ins: [...counts.values()].reduce((sum, count) => sum + count, 0),
            ...Object.fromEntries(counts),
            ...(addresses.size > 1 && { addresses: [...addresses] }),
          },
        });
        return true;
      });
    } finally {
      if (!isWritten) this.#putBack(person.email, pending);
    }
  }

  #putBack(email: string, earlier: Pending): void {
    const later = this.#pending.get(email);
    this.#pending.set(email, later ?? earlier);
    if (!later) return;
    for (const [reason, count] of earlier.counts) {
      later.counts.set(reason, (later.counts.get(reason) ?? 0) + count);
    }
    for (const address of earlier.addresses) {
      if (later.addresses.size < maxAddresses) later.addresses.add(address);
    }
  }
}
