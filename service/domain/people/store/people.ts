import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { credentials } from '../../../db/schema/people/credentials.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { cancelEmailChanges } from './email-changes.ts';
import { deletePasswordReset } from './password-resets.ts';
import { deletePendingSignIns } from './pending-sign-ins.ts';
import { deleteSessions } from './sessions.ts';

export type PersonRow = typeof people.$inferSelect;

export async function hasPeople(db: Db | Tx): Promise<boolean> {
  const found = await db.select({ id: people.id }).from(people).limit(1);
  return found.length > 0;
}

export async function findPersonByEmail(db: Db | Tx, email: string): Promise<PersonRow | null> {
  const [row] = await db.select().from(people).where(eq(people.email, email));
  return row ?? null;
}

/** The people with these emails, with the number of accounts to which each belongs. */
export async function listPeopleByEmail(
  db: Db,
  emails: readonly string[],
): Promise<
  (Pick<PersonRow, 'id' | 'name' | 'email' | 'failedSignInsRecordedAt'> & { accounts: number })[]
> {
  return await db
    .select({
      id: people.id,
      name: people.name,
      email: people.email,
      failedSignInsRecordedAt: people.failedSignInsRecordedAt,
      accounts: db.$count(members, eq(members.personId, people.id)),
    })
    .from(people)
    .where(inArray(people.email, [...emails]));
}

/** False if another entry about failed sign-ins was recorded after `entryBefore`. */
export async function claimFailedSignInEntry(
  tx: Tx,
  personId: string,
  { now, entryBefore }: { now: Date; entryBefore: Date },
): Promise<boolean> {
  const at = people.failedSignInsRecordedAt;
  const claimed = await tx
    .update(people)
    .set({ failedSignInsRecordedAt: now })
    .where(and(eq(people.id, personId), or(isNull(at), lte(at, entryBefore))))
    .returning({ id: people.id });
  return claimed.length > 0;
}

export async function findPersonById(db: Db | Tx, personId: string): Promise<PersonRow | null> {
  const [row] = await db.select().from(people).where(eq(people.id, personId));
  return row ?? null;
}

/** A person who signs in with a password; `passwordHash` as `auth.hashPassword` makes it. */
export async function insertPerson(
  tx: Tx,
  person: {
    id: string;
    name: string;
    email: string;
    passwordHash: string;
    now: Date;
    isUnverified?: boolean;
  },
): Promise<void> {
  const { id, name, email, passwordHash, now, isUnverified = false } = person;
  await tx.insert(people).values({ id, name, email, isUnverified, createdAt: now, updatedAt: now });
  await tx.insert(credentials).values({ personId: id, passwordHash });
}

/** Records that the address was shown to be theirs. */
export async function markVerified(tx: Tx, personId: string): Promise<void> {
  await tx.update(people).set({ isUnverified: false }).where(eq(people.id, personId));
}

export async function findPasswordHash(db: Db | Tx, personId: string): Promise<string | null> {
  const [row] = await db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .where(eq(credentials.personId, personId));
  return row?.passwordHash ?? null;
}

/**
 * Locks a person's email and password against changes until the transaction ends. Every change of
 * either takes this lock first: a new password is a new row, which a transaction that waits for the
 * old row would not see.
 */
export async function lockPerson(tx: Tx, personId: string): Promise<PersonRow | null> {
  const [row] = await tx.select().from(people).where(eq(people.id, personId)).for('no key update');
  return row ?? null;
}

/** The same for the person who has this email at that time. */
export async function lockPersonByEmail(tx: Tx, email: string): Promise<PersonRow | null> {
  const [row] = await tx.select().from(people).where(eq(people.email, email)).for('no key update');
  return row ?? null;
}

/** Reads a person's password hash, which cannot be replaced until the transaction ends. */
export async function lockPasswordHash(tx: Tx, personId: string): Promise<string | null> {
  await lockPerson(tx, personId);
  return await findPasswordHash(tx, personId);
}

export async function updatePerson(
  tx: Tx,
  personId: string,
  change:
    | { updatedAt: Date }
    | { name: string; updatedAt: Date }
    | { email: string; isUnverified: boolean; updatedAt: Date }
    | { turnedOffMails: MailPreference[]; updatedAt: Date },
): Promise<void> {
  await tx.update(people).set(change).where(eq(people.id, personId));
}

/** Sets the password, and ends everything that `deletePassword` ends. */
export async function replacePassword(
  tx: Tx,
  change: { personId: string; passwordHash: string; keptSessionId?: string },
): Promise<{ endedSessions: number }> {
  const { personId, passwordHash, keptSessionId } = change;
  const ended = await deletePassword(tx, personId, keptSessionId);
  await tx.insert(credentials).values({ personId, passwordHash });
  return ended;
}

/**
 * Removes a person's password, so that nobody can sign in as them until they choose a new one. Also
 * ends everything that someone who knew the password may have begun: sessions, except for one that
 * is kept, pending sign-ins, the link to reset the password, and a pending change of email.
 */
export async function deletePassword(
  tx: Tx,
  personId: string,
  keptSessionId?: string,
): Promise<{ endedSessions: number }> {
  const person = await lockPerson(tx, personId);
  if (person) await deletePasswordReset(tx, person.email);
  await cancelEmailChanges(tx, personId);
  await tx.delete(credentials).where(eq(credentials.personId, personId));
  await deletePendingSignIns(tx, personId);
  const endedSessions = await deleteSessions(tx, {
    personId,
    ...(keptSessionId !== undefined && { exceptId: keptSessionId }),
  });
  return { endedSessions };
}
