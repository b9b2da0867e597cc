import { and, eq } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { credentials } from '../../../db/schema/people/credentials.ts';
import { people } from '../../../db/schema/people/people.ts';
import { cancelEmailChanges } from './email-changes.ts';
import { deletePasswordReset } from './password-resets.ts';
import { deletePendingSignIns } from './pending-sign-ins.ts';
import { deleteSessions } from './sessions.ts';

export type PersonRow = typeof people.$inferSelect;

/** better-auth's name for "with a password". */
const passwordProvider = 'credential';

export async function hasPeople(db: Db | Tx): Promise<boolean> {
  const found = await db.select({ id: people.id }).from(people).limit(1);
  return found.length > 0;
}

export async function findPersonByEmail(db: Db | Tx, email: string): Promise<PersonRow | null> {
  const [row] = await db.select().from(people).where(eq(people.email, email));
  return row ?? null;
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
  await tx.insert(credentials).values({
    id: crypto.randomUUID(),
    accountId: id,
    providerId: passwordProvider,
    userId: id,
    password: passwordHash,
    createdAt: now,
    updatedAt: now,
  });
}

/** The address was shown to be theirs. */
export async function markVerified(tx: Tx, personId: string): Promise<void> {
  await tx.update(people).set({ isUnverified: false }).where(eq(people.id, personId));
}

export async function findPasswordHash(db: Db | Tx, personId: string): Promise<string | null> {
  const [row] = await db
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, personId), eq(credentials.providerId, passwordProvider)));
  return row?.password ?? null;
}

/** Who signs in with a password, and its hash. */
export type PersonCredential = { personId: string; email: string; passwordHash: string };

/** Whose email it is and their password's hash: one query whether there is such a person or not. */
export async function findCredentialByEmail(
  db: Db,
  email: string,
): Promise<PersonCredential | null> {
  return await findCredential(db, eq(people.email, email));
}

export async function findCredentialById(
  db: Db,
  personId: string,
): Promise<PersonCredential | null> {
  return await findCredential(db, eq(people.id, personId));
}

async function findCredential(db: Db, isTheirs: SQL): Promise<PersonCredential | null> {
  const [row] = await db
    .select({ personId: people.id, email: people.email, passwordHash: credentials.password })
    .from(people)
    .innerJoin(
      credentials,
      and(eq(credentials.userId, people.id), eq(credentials.providerId, passwordProvider)),
    )
    .where(isTheirs);
  return row && row.passwordHash !== null ? { ...row, passwordHash: row.passwordHash } : null;
}

export async function findPerson(db: Db | Tx, personId: string): Promise<PersonRow | null> {
  const [row] = await db.select().from(people).where(eq(people.id, personId));
  return row ?? null;
}

/**
 * Keeps a person's email and password from being changed until the transaction ends. A change of
 * either takes this lock first: a password is replaced by a new row, which nobody who waits for the
 * old row would see.
 */
export async function lockPerson(tx: Tx, personId: string): Promise<PersonRow | null> {
  const [row] = await tx.select().from(people).where(eq(people.id, personId)).for('no key update');
  return row ?? null;
}

/** The same for whoever has this email then. */
export async function lockPersonByEmail(tx: Tx, email: string): Promise<PersonRow | null> {
  const [row] = await tx.select().from(people).where(eq(people.email, email)).for('no key update');
  return row ?? null;
}

/** Reads a person's password hash and keeps it from being replaced until the transaction ends. */
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

/** Sets the password, and ends what `deletePassword` ends. */
export async function replacePassword(
  tx: Tx,
  change: { personId: string; passwordHash: string; now: Date; keptSessionId?: string },
): Promise<{ endedSessions: number }> {
  const { personId, passwordHash, now, keptSessionId } = change;
  const ended = await deletePassword(tx, personId, keptSessionId);
  await tx.insert(credentials).values({
    id: crypto.randomUUID(),
    accountId: personId,
    providerId: passwordProvider,
    userId: personId,
    password: passwordHash,
    createdAt: now,
    updatedAt: now,
  });
  return ended;
}

/**
 * Leaves a person without a password, so that nobody signs in as them until they choose one, and ends
 * what whoever knew it may have begun: sessions, but for one that is kept, sign-ins that wait for a
 * second factor, the link to reset the password, and a change of the email that waits.
 */
export async function deletePassword(
  tx: Tx,
  personId: string,
  keptSessionId?: string,
): Promise<{ endedSessions: number }> {
  const person = await lockPerson(tx, personId);
  if (person) await deletePasswordReset(tx, person.email);
  await cancelEmailChanges(tx, personId);
  await tx
    .delete(credentials)
    .where(and(eq(credentials.userId, personId), eq(credentials.providerId, passwordProvider)));
  await deletePendingSignIns(tx, personId);
  const endedSessions = await deleteSessions(tx, {
    personId,
    ...(keptSessionId !== undefined && { exceptId: keptSessionId }),
  });
  return { endedSessions };
}
