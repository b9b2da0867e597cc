import { and, asc, eq, sql } from 'drizzle-orm';
import type { Role } from '#lib/contract/roles.ts';
import type { Db, Tx } from '../../db/open.ts';
import {
  accounts,
  credentials,
  members,
  people,
  sessions,
  settings,
  setUpTokens,
} from '../../db/schema.ts';
import type { AccountId } from '../account-id.ts';

export type Membership = { accountId: string; accountName: string; role: Role };
export type PersonRow = typeof people.$inferSelect;

/** better-auth's name for "with a password". */
const passwordProvider = 'credential';

/** The accounts a person belongs to, the first joined first. */
export async function listMemberships(db: Db | Tx, personId: string): Promise<Membership[]> {
  return await db
    .select({ accountId: members.accountId, accountName: accounts.name, role: members.role })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.personId, personId))
    .orderBy(asc(members.createdAt), asc(members.accountId));
}

export async function lockMembership(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<{ role: Role } | null> {
  const [row] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.personId, personId)))
    .for('update');
  return row ?? null;
}

export async function insertAccount(
  tx: Tx,
  row: typeof accounts.$inferInsert,
): Promise<typeof accounts.$inferSelect> {
  const [account] = await tx.insert(accounts).values(row).returning();
  if (!account) throw new Error('the account was not stored');
  return account;
}

export async function insertMember(tx: Tx, row: typeof members.$inferInsert): Promise<void> {
  await tx.insert(members).values(row);
}

export async function hasPeople(db: Db | Tx): Promise<boolean> {
  const found = await db.select({ id: people.id }).from(people).limit(1);
  return found.length > 0;
}

export async function findPersonByEmail(db: Db | Tx, email: string): Promise<PersonRow | null> {
  const [row] = await db.select().from(people).where(eq(people.email, email));
  return row ?? null;
}

/** A person who signs in with a password; `passwordHash` as `auth.hashPassword` makes it. */
export async function insertPerson(
  tx: Tx,
  person: { id: string; name: string; email: string; passwordHash: string; now: Date },
): Promise<void> {
  const { id, name, email, passwordHash, now } = person;
  await tx.insert(people).values({ id, name, email, createdAt: now, updatedAt: now });
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

export async function findPasswordHash(db: Db | Tx, personId: string): Promise<string | null> {
  const [row] = await db
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, personId), eq(credentials.providerId, passwordProvider)));
  return row?.password ?? null;
}

/** Sets the password and ends every session the person has. */
export async function replacePassword(
  tx: Tx,
  change: { personId: string; passwordHash: string; now: Date },
): Promise<{ endedSessions: number }> {
  const { personId, passwordHash, now } = change;
  await tx
    .delete(credentials)
    .where(and(eq(credentials.userId, personId), eq(credentials.providerId, passwordProvider)));
  await tx.insert(credentials).values({
    id: crypto.randomUUID(),
    accountId: personId,
    providerId: passwordProvider,
    userId: personId,
    password: passwordHash,
    createdAt: now,
    updatedAt: now,
  });
  const ended = await tx
    .delete(sessions)
    .where(eq(sessions.userId, personId))
    .returning({ id: sessions.id });
  return { endedSessions: ended.length };
}

/** An arbitrary constant: whoever decides whether there is a first person holds this lock. */
const firstPersonLock = 7_461_202;

/** Lets one transaction at a time decide whether there is a first person yet, until it ends. */
export async function lockFirstPerson(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${firstPersonLock})`);
}

/** Stores the digest of the one set-up token there is, in place of any older one. */
export async function replaceSetUpToken(
  tx: Tx,
  token: typeof setUpTokens.$inferInsert,
): Promise<void> {
  await tx.delete(setUpTokens);
  await tx.insert(setUpTokens).values(token);
}

export async function deleteSetUpTokens(tx: Tx): Promise<void> {
  await tx.delete(setUpTokens);
}

export async function findSetUpToken(
  db: Db | Tx,
  digest: Buffer,
): Promise<{ expiresAt: Date } | null> {
  const [row] = await db
    .select({ expiresAt: setUpTokens.expiresAt })
    .from(setUpTokens)
    .where(eq(setUpTokens.digest, digest));
  return row ?? null;
}

/** Takes the token out of use; null if it is not the one there is. */
export async function takeSetUpToken(tx: Tx, digest: Buffer): Promise<{ expiresAt: Date } | null> {
  const [row] = await tx
    .delete(setUpTokens)
    .where(eq(setUpTokens.digest, digest))
    .returning({ expiresAt: setUpTokens.expiresAt });
  return row ?? null;
}

/** Keeps a fact about the installation, in place of what stood under the name. */
export async function writeSetting(tx: Tx, name: string, value: object): Promise<void> {
  await tx
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } });
}

export async function readSetting(db: Db | Tx, name: string): Promise<object | null> {
  const [row] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, name));
  return typeof row?.value === 'object' ? row.value : null;
}
