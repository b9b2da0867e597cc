import { and, asc, count, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { MemberRights, SupportAccess } from '#lib/contract/rights/member-rights.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts, supportAccess } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { hotRead } from '../../../db/statements/hot-read.ts';
import { factorColumns } from './second-factors.ts';
import type { FactorCounts } from './second-factors.ts';
import type { AccountId } from '../../account-id.ts';

export type Membership = MemberRights & {
  accountId: string;
  accountName: string;
  sessionHours: number;
  /** When an owner deleted the account; null if it is not deleted. */
  deletedAt: Date | null;
  lastSeenAt: Date | null;
  secondFactorRequiredFrom: Date | null;
} & Pick<FactorCounts, 'app' | 'passkeys'>;

/** A member of any account. */
export type MemberRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  createdAt: Date;
  lastSeenAt: Date | null;
  lastSeenAgent: string | null;
  /** The kinds of emails that they turned off. */
  turnedOffMails: MailPreference[];
} & Pick<FactorCounts, 'app' | 'passkeys'>;

/** The columns that decide a member's rights, from the member and the account. */
const rights = {
  role: members.role,
  support: supportAccess,
};

/** The accounts a person belongs to, in the order in which they joined. */
export async function listMemberships(db: Db | Tx, personId: string): Promise<Membership[]> {
  const rows = await membershipsOf(db, { personId });
  return rows.map(({ tokens, payloads, error_texts, ...row }) => ({
    ...row,
    support: { tokens, payloads, error_texts },
  }));
}

/** Every call of the dashboard needs them. */
const membershipsOf = hotRead(
  {
    accountId: members.accountId,
    accountName: accounts.name,
    sessionHours: accounts.sessionHours,
    deletedAt: accounts.deletedAt,
    secondFactorRequiredFrom: accounts.secondFactorRequiredFrom,
    ...factorColumns(members.personId),
    lastSeenAt: members.lastSeenAt,
    role: members.role,
    ...supportAccess,
  },
  (select) =>
    select
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .where(eq(members.personId, sql.placeholder('personId')))
      .orderBy(asc(members.createdAt), asc(members.accountId)),
);

export async function listMemberRows(db: Db | Tx, accountId: AccountId): Promise<MemberRow[]> {
  return await selectMembers(db)
    .where(eq(members.accountId, accountId))
    .orderBy(asc(people.name), asc(people.id));
}

/** The names of those of these people who belong to the account, by their ids. */
export async function listMemberNames(
  db: Db | Tx,
  accountId: AccountId,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: people.id, name: people.name })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .where(and(eq(members.accountId, accountId), inArray(members.personId, [...ids])));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findMemberRow(
  db: Db | Tx,
  accountId: AccountId,
  personId: string,
): Promise<MemberRow | null> {
  const [row] = await selectMembers(db).where(columnsEqual(members, { accountId, personId }));
  return row ?? null;
}

export async function findMemberRowByEmail(
  db: Db | Tx,
  accountId: AccountId,
  email: string,
): Promise<MemberRow | null> {
  const [row] = await selectMembers(db).where(
    and(eq(members.accountId, accountId), eq(people.email, email)),
  );
  return row ?? null;
}

function selectMembers(db: Db | Tx) {
  return db
    .select({
      id: people.id,
      name: people.name,
      email: people.email,
      role: members.role,
      createdAt: members.createdAt,
      lastSeenAt: members.lastSeenAt,
      lastSeenAgent: members.lastSeenAgent,
      turnedOffMails: people.turnedOffMails,
      ...factorColumns(people.id),
    })
    .from(members)
    .innerJoin(people, eq(people.id, members.personId))
    .$dynamic();
}

/** Records that a member used the dashboard, unless a use after `notedBefore` is recorded. */
export async function updateLastSeen(
  db: Db,
  { accountId, personId }: { accountId: AccountId; personId: string },
  { now, agent, notedBefore }: { now: Date; agent: string | null; notedBefore: Date },
): Promise<void> {
  await db
    .update(members)
    .set({ lastSeenAt: now, lastSeenAgent: agent })
    .where(
      and(
        columnsEqual(members, { accountId, personId }),
        or(isNull(members.lastSeenAt), lte(members.lastSeenAt, notedBefore)),
      ),
    );
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
    .where(columnsEqual(members, { accountId, personId }))
    .for('update', { of: members });
  return row ?? null;
}

/** The owners of an account, locked as its owners until the transaction ends. */
export async function lockOwners(tx: Tx, accountId: AccountId): Promise<string[]> {
  const rows = await tx
    .select({ personId: members.personId })
    .from(members)
    .where(columnsEqual(members, { accountId, role: 'owner' }))
    .orderBy(asc(members.personId))
    .for('update');
  return rows.map(({ personId }) => personId);
}

/** Locks all members of an account, so that none can act until the transaction ends. */
export async function lockMembers(tx: Tx, accountId: AccountId): Promise<void> {
  await tx
    .select({ personId: members.personId })
    .from(members)
    .where(eq(members.accountId, accountId))
    .orderBy(asc(members.personId))
    .for('update');
}

/** Sets a member's role and returns the previous one; null if they are not a member. */
export async function updateMemberRole(
  tx: Tx,
  { accountId, personId, role }: { accountId: AccountId; personId: string; role: Role },
): Promise<Role | null> {
  const membership = await lockMembership(tx, accountId, personId);
  if (!membership) return null;
  await tx.update(members).set({ role }).where(columnsEqual(members, { accountId, personId }));
  return membership.role;
}

export async function insertMember(tx: Tx, row: typeof members.$inferInsert): Promise<void> {
  await tx.insert(members).values(row);
}

export async function deleteMember(
  tx: Tx,
  { accountId, personId }: { accountId: AccountId; personId: string },
): Promise<void> {
  await tx.delete(members).where(columnsEqual(members, { accountId, personId }));
}

export async function insertAccount(
  tx: Tx,
  row: typeof accounts.$inferInsert,
): Promise<typeof accounts.$inferSelect> {
  const [account] = await tx.insert(accounts).values(row).returning();
  if (!account) throw new Error('the account was not stored');
  return account;
}

/** An account with the details that distinguish it from others with the same name. */
export type AccountListRow = {
  id: string;
  name: string;
  createdAt: Date;
  /** When an owner deleted it; null if it is not deleted. */
  deletedAt: Date | null;
  members: number;
  /** The owners' email addresses, in alphabetical order. */
  owners: string[];
};

/** All accounts, or those with this id or name, oldest first. */
export async function listAccountRows(
  db: Db | Tx,
  by?: { id: string } | { name: string },
): Promise<AccountListRow[]> {
  const isNamed = by && ('id' in by ? eq(accounts.id, by.id) : eq(accounts.name, by.name));
  return await db
    .select({
      id: accounts.id,
      name: accounts.name,
      createdAt: accounts.createdAt,
      deletedAt: accounts.deletedAt,
      members: count(members.personId),
      owners: sql<
        string[]
      >`coalesce(json_agg(${people.email} order by ${people.email}) filter (where ${members.role} = 'owner'), '[]')`,
    })
    .from(accounts)
    .leftJoin(members, eq(members.accountId, accounts.id))
    .leftJoin(people, eq(people.id, members.personId))
    .where(isNamed)
    .groupBy(accounts.id)
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
}

export async function readSupportAccess(db: Db | Tx, accountId: AccountId): Promise<SupportAccess> {
  const [row] = await db.select(rights.support).from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new Error('the account was not found');
  return row;
}
