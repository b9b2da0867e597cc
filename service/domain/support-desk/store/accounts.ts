import { and, asc, count, desc, eq, gt, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { installationSupport, supportVisits } from '../../../db/schema/people/support.ts';
import type { DeskSearch } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
import { access, contains, isOpenTo, isOwnMembership } from './access.ts';

export type FoundAccountRow = Awaited<ReturnType<typeof findAccounts>>[number];

/** Whether somebody supports every account that allows it. */
export async function isSupporter(db: Db, personId: string): Promise<boolean> {
  const rows = await db
    .select({ personId: installationSupport.personId })
    .from(installationSupport)
    .where(eq(installationSupport.personId, personId));
  return rows.length > 0;
}

export async function countOpenAccounts(db: Db, searcher: Searcher): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(isOpenTo(searcher));
  return row?.total ?? 0;
}

/** The accounts that a person used last, as a member or as installation support, latest first. */
export async function listRecentAccounts(
  db: Db,
  searcher: Searcher,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const lastVisit = sql`(select max(${supportVisits.openedAt}) from ${supportVisits} where ${supportVisits.personId} = ${searcher.personId} and ${supportVisits.accountId} = ${accounts.id})`;
  const lastUse = sql`greatest(${members.lastSeenAt}, ${lastVisit})`;
  const visited = db
    .select({ id: supportVisits.accountId })
    .from(supportVisits)
    .where(eq(supportVisits.personId, searcher.personId));
  return await db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(
      and(isOpenTo(searcher), or(isNotNull(members.lastSeenAt), inArray(accounts.id, visited))),
    )
    .orderBy(desc(lastUse), asc(accounts.id))
    .limit(limit);
}

/** Accounts by name, those with exactly the given name first. */
export async function findAccounts(
  db: Db,
  searcher: Searcher,
  { search, limit }: { search: DeskSearch; limit: number },
) {
  const { text, uuid } = search;
  const match =
    uuid !== null
      ? eq(accounts.id, uuid)
      : text !== null
        ? contains(accounts.name, text)
        : undefined;
  if (!match) return [];
  return await db
    .select(access)
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher)))
    .orderBy(
      desc(sql`lower(${accounts.name}) = lower(${text}::text)`),
      sql`lower(${accounts.name})`,
      asc(accounts.id),
    )
    .limit(limit);
}

/** Those of the accounts for which the person gave a reason in this session that still counts. */
export async function listOpenVisits(
  db: Db,
  { personId, sessionId, now }: Searcher,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set();
  const rows = await db
    .select({ accountId: supportVisits.accountId })
    .from(supportVisits)
    .where(
      and(
        eq(supportVisits.personId, personId),
        inArray(supportVisits.accountId, [...accountIds]),
        eq(supportVisits.sessionId, sessionId),
        gt(supportVisits.endsAt, now),
      ),
    );
  return new Set(rows.map(({ accountId }) => accountId));
}
