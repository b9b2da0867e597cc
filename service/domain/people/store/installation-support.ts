import { and, asc, desc, eq, gt, isNotNull, isNull, lte, max, or, sql } from 'drizzle-orm';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts, installationSupportAccess } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { installationSupport, supportVisits } from '../../../db/schema/people/support.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';
import { factorColumns } from './second-factors.ts';
import type { FactorCounts } from './second-factors.ts';

/** An account that a person of installation support can open, and their open visit of it. */
export type SupportedAccount = MemberRights & {
  accountId: string;
  sessionHours: number;
  secondFactorRequiredFrom: Date | null;
  visit: { reason: string; endsAt: Date } | null;
} & Pick<FactorCounts, 'app' | 'passkeys'>;

/** A person of installation support, with their latest visit of one account. */
export type SupporterRow = {
  id: string;
  name: string;
  email: string;
  addedAt: Date;
  /** Their role as a member of the account; null if they are not a member. */
  role: Role | null;
  lastOpenedAt: Date | null;
  lastReason: string | null;
};

export async function isInstallationSupport(db: Db | Tx, personId: string): Promise<boolean> {
  const [row] = await db
    .select({ personId: installationSupport.personId })
    .from(installationSupport)
    .where(eq(installationSupport.personId, personId));
  return row !== undefined;
}

/** Null if the account does not exist, does not allow it, or the person is not part of it. */
export async function findSupportedAccount(
  db: Db,
  {
    accountId,
    personId,
    sessionId,
    now,
  }: { accountId: AccountId; personId: string; sessionId: string; now: Date },
): Promise<SupportedAccount | null> {
  const [row] = await db
    .select({
      accountId: accounts.id,
      sessionHours: accounts.sessionHours,
      secondFactorRequiredFrom: accounts.secondFactorRequiredFrom,
      ...factorColumns(installationSupport.personId),
      support: installationSupportAccess,
      visit: { reason: supportVisits.reason, endsAt: supportVisits.endsAt },
    })
    .from(installationSupport)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .leftJoin(
      supportVisits,
      and(isOfSession({ accountId, personId, sessionId }), gt(supportVisits.endsAt, now)),
    )
    .where(and(eq(installationSupport.personId, personId), isAllowed))
    // Two calls at the same time can each have stored a visit.
    .orderBy(desc(supportVisits.openedAt))
    .limit(1);
  return row ? { ...row, role: 'support' } : null;
}

/**
 * The rights of installation support in an account, locked so that neither an owner nor an operator
 * can take them away until the transaction ends. Null if the person has none.
 */
export async function lockSupporterRights(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<MemberRights | null> {
  const [row] = await tx
    .select({ support: installationSupportAccess })
    .from(installationSupport)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(eq(installationSupport.personId, personId), isAllowed))
    .for('share');
  return row ? { role: 'support', support: row.support } : null;
}

/** The ids of installation support, if the account allows it. */
export async function listAllowedSupporters(db: Db | Tx, accountId: AccountId): Promise<string[]> {
  const rows = await db
    .select({ personId: installationSupport.personId })
    .from(installationSupport)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(isAllowed);
  return rows.map(({ personId }) => personId);
}

const isAllowed = and(eq(accounts.allowsInstallationSupport, true), isNull(accounts.deletedAt));

/**
 * A query for at most `limit` accounts by name that a person of installation support can open, with
 * `text` in their name or `uuid` as their id. Only owners find an account that is being deleted.
 */
export function selectSupportedAccounts(
  db: Db,
  {
    personId,
    text,
    uuid,
    limit,
  }: { personId: string; text: string; uuid: string | null; limit: number },
) {
  const name = sql`lower(${accounts.name})`;
  return db
    .select({ id: accounts.id, name: accounts.name, role: members.role })
    .from(accounts)
    .leftJoin(members, columnsEqual(members, { accountId: accounts.id, personId }))
    .where(
      and(
        or(
          isAllowed,
          and(isNotNull(members.role), isNull(accounts.deletedAt)),
          eq(members.role, 'owner'),
        ),
        uuid === null ? sql`strpos(${name}, lower(${text}::text)) > 0` : eq(accounts.id, uuid),
      ),
    )
    .orderBy(name, asc(accounts.id))
    .limit(limit);
}

/** All people of installation support by name, each with their latest visit of one account. */
export async function listSupporterRows(db: Db, accountId: AccountId): Promise<SupporterRow[]> {
  return await db
    .selectDistinctOn([people.name, people.id], {
      id: people.id,
      name: people.name,
      email: people.email,
      addedAt: installationSupport.addedAt,
      role: members.role,
      lastOpenedAt: supportVisits.openedAt,
      lastReason: supportVisits.reason,
    })
    .from(installationSupport)
    .innerJoin(people, eq(people.id, installationSupport.personId))
    .leftJoin(members, columnsEqual(members, { accountId, personId: people.id }))
    .leftJoin(supportVisits, columnsEqual(supportVisits, { accountId, personId: people.id }))
    .orderBy(asc(people.name), asc(people.id), desc(supportVisits.openedAt));
}

/** The same, with their latest visit of any account. */
export async function listAllSupporters(
  db: Db,
): Promise<{ name: string; email: string; addedAt: Date; lastOpenedAt: Date | null }[]> {
  return await db
    .select({
      name: people.name,
      email: people.email,
      addedAt: installationSupport.addedAt,
      lastOpenedAt: max(supportVisits.openedAt),
    })
    .from(installationSupport)
    .innerJoin(people, eq(people.id, installationSupport.personId))
    .leftJoin(supportVisits, eq(supportVisits.personId, people.id))
    .groupBy(people.id, installationSupport.addedAt)
    .orderBy(asc(people.email));
}

export async function insertSupporter(
  tx: Tx,
  row: typeof installationSupport.$inferInsert,
): Promise<void> {
  await tx.insert(installationSupport).values(row);
}

/** Waits for transactions in which they write. False if they were no installation support. */
export async function deleteSupporter(tx: Tx, personId: string): Promise<boolean> {
  const deleted = await tx
    .delete(installationSupport)
    .where(eq(installationSupport.personId, personId))
    .returning({ personId: installationSupport.personId });
  return deleted.length > 0;
}

/**
 * Stores a visit, and removes visits of the same person and account that ended, are of the same
 * session, or whose session is gone.
 */
export async function insertVisit(
  tx: Tx,
  visit: Required<Omit<typeof supportVisits.$inferInsert, 'uuid' | 'closedAt'>>,
): Promise<void> {
  const { accountId, personId, sessionId, openedAt } = visit;
  const ofPerson = columnsEqual(supportVisits, { accountId, personId });
  await tx
    .delete(supportVisits)
    .where(
      and(
        ofPerson,
        or(
          isNull(supportVisits.sessionId),
          eq(supportVisits.sessionId, sessionId ?? ''),
          lte(supportVisits.endsAt, openedAt),
        ),
      ),
    );
  await tx.insert(supportVisits).values(visit);
}

/** Why a person opened an account as installation support, the last time. */
export async function findVisitReason(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<string | null> {
  const [visit] = await tx
    .select({ reason: supportVisits.reason })
    .from(supportVisits)
    .where(columnsEqual(supportVisits, { accountId, personId }))
    .orderBy(desc(supportVisits.openedAt))
    .limit(1);
  return visit?.reason ?? null;
}

/** Ends the open visits of a person in all accounts. */
export async function endVisitsOfPerson(
  tx: Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<void> {
  await tx
    .update(supportVisits)
    .set({ endsAt: now })
    .where(and(eq(supportVisits.personId, personId), gt(supportVisits.endsAt, now)));
}

/** Ends the open visits of an account because an owner closes it to installation support. */
export async function closeVisits(
  tx: Tx,
  { accountId, now }: { accountId: AccountId; now: Date },
): Promise<void> {
  await tx
    .update(supportVisits)
    .set({ endsAt: now, closedAt: now })
    .where(and(eq(supportVisits.accountId, accountId), gt(supportVisits.endsAt, now)));
}

/** When the account was closed to installation support, and when it was deleted. */
export type ClosedVisit = { closedAt: Date | null; deletedAt: Date | null };

type VisitInSession = { accountId: AccountId; personId: string; sessionId: string };

/** Ends the open visit of an account in one session. @returns its reason; null if none was open */
export async function endVisit(
  tx: Tx,
  { accountId, personId, sessionId, now }: VisitInSession & { now: Date },
): Promise<string | null> {
  const [ended] = await tx
    .update(supportVisits)
    .set({ endsAt: now })
    .where(and(isOfSession({ accountId, personId, sessionId }), gt(supportVisits.endsAt, now)))
    .returning({ reason: supportVisits.reason });
  return ended?.reason ?? null;
}

/**
 * The visit in a session that ended because an owner closed the account to installation support, or
 * deleted it. Null if there is none.
 */
export async function findClosedVisit(db: Db, visit: VisitInSession): Promise<ClosedVisit | null> {
  const [closed] = await db
    .select({ closedAt: supportVisits.closedAt, deletedAt: accounts.deletedAt })
    .from(supportVisits)
    .innerJoin(accounts, eq(accounts.id, supportVisits.accountId))
    .where(
      and(
        isOfSession(visit),
        or(isNotNull(supportVisits.closedAt), gt(supportVisits.endsAt, accounts.deletedAt)),
      ),
    );
  return closed ?? null;
}

function isOfSession({ accountId, personId, sessionId }: VisitInSession) {
  return columnsEqual(supportVisits, { accountId, personId, sessionId });
}

export async function listVisitedAccounts(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ accountId: supportVisits.accountId })
    .from(supportVisits)
    .where(eq(supportVisits.personId, personId))
    .orderBy(supportVisits.accountId);
  return rows.map(({ accountId }) => accountId);
}

/** The people who opened an account as installation support and are not members of it. */
export async function listVisitors(tx: Tx, accountId: AccountId): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ personId: supportVisits.personId })
    .from(supportVisits)
    .leftJoin(members, columnsEqual(members, { accountId, personId: supportVisits.personId }))
    .where(and(eq(supportVisits.accountId, accountId), isNull(members.personId)))
    .orderBy(supportVisits.personId);
  return rows.map(({ personId }) => personId);
}
