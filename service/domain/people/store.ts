import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import type { MemberRights, SupportAccess } from '#lib/contract/ceiling.ts';
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

export type Membership = MemberRights & { accountId: string; accountName: string };
export type PersonRow = typeof people.$inferSelect;

/** better-auth's name for "with a password". */
const passwordProvider = 'credential';

/** The columns that decide a member's rights, from the member and the account. */
const rights = {
  role: members.role,
  support: { tokens: accounts.supportTokens, payloads: accounts.supportPayloads },
};

/** The accounts a person belongs to, the first joined first. */
export async function listMemberships(db: Db | Tx, personId: string): Promise<Membership[]> {
  return await db
    .select({ accountId: members.accountId, accountName: accounts.name, ...rights })
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(eq(members.personId, personId))
    .orderBy(asc(members.createdAt), asc(members.accountId));
}

export async function listMemberRows(
  db: Db | Tx,
  accountId: AccountId,
): Promise<{ id: string; name: string; email: string; role: Role }[]> {
  return await db
    .select({ id: people.id, name: people.name, email: people.email, role: members.role })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(eq(members.accountId, accountId))
    .orderBy(asc(people.name), asc(people.id));
}

export async function lockMembership(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<MemberRights | null> {
  const [row] = await tx
    .select(rights)
    .from(members)
    .innerJoin(accounts, eq(accounts.id, members.accountId))
    .where(and(eq(members.accountId, accountId), eq(members.personId, personId)))
    .for('update', { of: members });
  return row ?? null;
}

export async function readSupportAccess(db: Db | Tx, accountId: AccountId): Promise<SupportAccess> {
  const [row] = await db.select(rights.support).from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new Error('the account is gone');
  return row;
}

/** What support may do in an account; nobody else sets it until the transaction ends. */
export async function lockSupportAccess(
  tx: Tx,
  accountId: AccountId,
): Promise<{ before: SupportAccess; accountName: string }> {
  const [row] = await tx
    .select({ before: rights.support, accountName: accounts.name })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('no key update');
  if (!row) throw new Error('the account is gone');
  return row;
}

export async function writeSupportAccess(
  tx: Tx,
  accountId: AccountId,
  { tokens, payloads }: SupportAccess,
): Promise<void> {
  await tx
    .update(accounts)
    .set({ supportTokens: tokens, supportPayloads: payloads })
    .where(eq(accounts.id, accountId));
}

export async function insertAccount(
  tx: Tx,
  row: typeof accounts.$inferInsert,
): Promise<typeof accounts.$inferSelect> {
  const [account] = await tx.insert(accounts).values(row).returning();
  if (!account) throw new Error('the account was not stored');
  return account;
}

/** The accounts with this id or name, the oldest first. */
export async function findAccounts(
  tx: Tx,
  by: { id: string } | { name: string },
): Promise<{ id: string; name: string }[]> {
  return await tx
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where('id' in by ? eq(accounts.id, by.id) : eq(accounts.name, by.name))
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
}

/** Who owns an account; keeps them its owners until the transaction ends. */
export async function lockOwners(tx: Tx, accountId: AccountId): Promise<string[]> {
  const rows = await tx
    .select({ personId: members.personId })
    .from(members)
    .where(and(eq(members.accountId, accountId), eq(members.role, 'owner')))
    .orderBy(asc(members.personId))
    .for('update');
  return rows.map(({ personId }) => personId);
}

/** Sets a member's role and says which they had; null if they are no member. */
export async function updateMemberRole(
  tx: Tx,
  { accountId, personId, role }: { accountId: AccountId; personId: string; role: Role },
): Promise<Role | null> {
  const membership = await lockMembership(tx, accountId, personId);
  if (!membership) return null;
  await tx
    .update(members)
    .set({ role })
    .where(and(eq(members.accountId, accountId), eq(members.personId, personId)));
  return membership.role;
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

/** Whose e-mail it is and their password's hash: one query whether there is such a person or not. */
export async function findCredentialByEmail(
  db: Db,
  email: string,
): Promise<{ personId: string; passwordHash: string } | null> {
  const [row] = await db
    .select({ personId: people.id, passwordHash: credentials.password })
    .from(people)
    .innerJoin(
      credentials,
      and(eq(credentials.userId, people.id), eq(credentials.providerId, passwordProvider)),
    )
    .where(eq(people.email, email));
  if (!row || row.passwordHash === null) return null;
  return { personId: row.personId, passwordHash: row.passwordHash };
}

/** Reads a person's password hash and keeps it from being replaced until the transaction ends. */
export async function lockPasswordHash(tx: Tx, personId: string): Promise<string | null> {
  const [row] = await tx
    .select({ password: credentials.password })
    .from(credentials)
    .where(and(eq(credentials.userId, personId), eq(credentials.providerId, passwordProvider)))
    .for('update');
  return row?.password ?? null;
}

/** Reads a person's session and keeps its token until the transaction ends; null for no such session. */
export async function lockSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<{ token: string; createdAt: Date; previousDigest: Buffer | null } | null> {
  const [row] = await tx
    .select({
      token: sessions.token,
      createdAt: sessions.createdAt,
      previousDigest: sessions.previousDigest,
    })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, personId)))
    .for('update');
  return row ?? null;
}

/** The session that had this token before the one it has, while that one still reads. */
export async function findSessionByPreviousToken(
  db: Db,
  { digest, now }: { digest: Buffer; now: Date },
): Promise<{ token: string; createdAt: Date } | null> {
  const [row] = await db
    .select({ token: sessions.token, createdAt: sessions.createdAt })
    .from(sessions)
    .where(and(eq(sessions.previousDigest, digest), gt(sessions.previousValidUntil, now)));
  return row ?? null;
}

/** Changes a person's session; false if they have no such session. */
export async function updateSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
  change:
    | { provedAt: Date }
    | { provedAt: Date; token: string; previousDigest: Buffer; previousValidUntil: Date }
    | { chosenAccountId: AccountId },
): Promise<boolean> {
  const updated = await tx
    .update(sessions)
    .set(change)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, personId)))
    .returning({ id: sessions.id });
  return updated.length > 0;
}

/** Ends a person's session and says from where it was used; null if they have no such session. */
export async function deleteSession(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<{ ip: string | null; userAgent: string | null } | null> {
  const [row] = await tx
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, personId)))
    .returning({ ip: sessions.ipAddress, userAgent: sessions.userAgent });
  return row ?? null;
}

/** Ends a person's sessions, all or all but one; says how many. */
export async function deleteSessions(
  tx: Tx,
  { personId, exceptId }: { personId: string; exceptId?: string },
): Promise<number> {
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, personId),
        exceptId === undefined ? undefined : ne(sessions.id, exceptId),
      ),
    )
    .returning({ id: sessions.id });
  return ended.length;
}

/** Sets the password and ends every session the person has, but for the one that is kept. */
export async function replacePassword(
  tx: Tx,
  change: { personId: string; passwordHash: string; now: Date; keptSessionId?: string },
): Promise<{ endedSessions: number }> {
  const { personId, passwordHash, now, keptSessionId } = change;
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
  const endedSessions = await deleteSessions(tx, {
    personId,
    ...(keptSessionId !== undefined && { exceptId: keptSessionId }),
  });
  return { endedSessions };
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
