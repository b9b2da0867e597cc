import { and, count, eq, getTableColumns, gte, inArray, lt, max, sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { sqlInstant } from '../../db/statements/instants.ts';
import {
  isOnPage,
  orderOfPage,
  type FollowedList,
  type PagePosition,
} from '../../db/statements/list-page.ts';
import type { AccountId } from '../account-id.ts';
import { isOutsideChain } from '../audit/statements/is-outside-chain.ts';

/** An entry to show. */
export type ListedRow = typeof auditEntries.$inferSelect & { isOutsideChain: boolean };

export function auditEntriesOf(accountId: AccountId): FollowedList {
  return { table: auditEntries, where: eq(auditEntries.accountId, accountId) };
}

export async function listAuditEntryRows(
  db: Db | Tx,
  accountId: AccountId,
  page: AuditEntryFilter & { at: PagePosition; limit: number },
): Promise<ListedRow[]> {
  return await db
    .select({ ...getTableColumns(auditEntries), isOutsideChain: isOutsideChain(accountId) })
    .from(auditEntries)
    .where(and(matchesFilter(accountId, page), isOnPage(auditEntries, page.at)))
    .orderBy(...orderOfPage(auditEntries, page.at))
    .limit(page.limit);
}

/** How many matching entries an account has, and the newest one's id; 0 without any. */
export async function countAuditEntryRows(
  db: Db,
  accountId: AccountId,
  filter: AuditEntryFilter,
): Promise<{ total: number; newest: number }> {
  const [counted] = await db
    .select({ total: count(), newest: max(auditEntries.id) })
    .from(auditEntries)
    .where(matchesFilter(accountId, filter));
  return { total: counted?.total ?? 0, newest: counted?.newest ?? 0 };
}

/** The entries of an account to read. A filter that is left out matches every entry. */
export type AuditEntryFilter = {
  /** The id of a person, the UUID of a key, or a kind of actor. */
  actor?: string | undefined;
  /** A whole action, or the part before its dot. */
  action?: string | undefined;
  /** The parts of actions before their dots. */
  groups?: readonly string[] | undefined;
  /** The ids of the targets. */
  targets?: readonly string[] | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

/** What entries of an account have to match. Each part has its index, see the table in the schema. */
export function matchesFilter(accountId: AccountId, filter: AuditEntryFilter): SQL | undefined {
  const { actor, action, groups, targets, since, until } = filter;
  return and(
    eq(auditEntries.accountId, accountId),
    actor === undefined ? undefined : sql`(${auditEntries.actor} ->> ${partOf(actor)}) = ${actor}`,
    action === undefined ? undefined : matchesAction(action),
    groups && inArray(groupOfAction, [...groups]),
    targets && inArray(sql`(${auditEntries.target} ->> 'id')`, [...targets]),
    since && and(gte(auditEntries.at, since), isWrittenAfter(accountId, since)),
    until && and(lt(auditEntries.at, until), isWrittenBefore(accountId, until)),
  );
}

const actorKinds = ['person', 'api_key', 'system'];

function partOf(actor: string): SQL {
  return actorKinds.includes(actor) ? sql`'kind'` : sql`'id'`;
}

function matchesAction(action: string): SQL {
  return action.includes('.') ? eq(auditEntries.action, action) : eq(groupOfAction, action);
}

const groupOfAction = sql`split_part(${auditEntries.action}, '.', 1)`;

/**
 * How far the order of ids can differ from the order of time. The log is read by id, and a
 * transaction that began earlier can write later, and the clocks of processes differ, though never
 * by as much as an hour. With bounds of the ids, a window of time is read without the rest of the
 * log, also together with another filter.
 */
const maxDisorder = sql`interval '1 hour'`;

function isWrittenAfter(accountId: AccountId, time: Date): SQL {
  return sql`${auditEntries.id} > coalesce((
    select bound.id from audit_entries bound
    where bound.account_id = ${accountId}
      and bound.at < ${sqlInstant(time)} - ${maxDisorder}
    order by bound.at desc limit 1
  ), 0)`;
}

function isWrittenBefore(accountId: AccountId, time: Date): SQL {
  return sql`${auditEntries.id} < coalesce((
    select bound.id from audit_entries bound
    where bound.account_id = ${accountId}
      and bound.at >= ${sqlInstant(time)} + ${maxDisorder}
    order by bound.at limit 1
  ), ${sql.raw(String(Number.MAX_SAFE_INTEGER))})`;
}
