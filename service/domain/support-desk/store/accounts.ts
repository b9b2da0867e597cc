import { and, asc, count, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { installationSupport, supportVisits } from '../../../db/schema/people/support.ts';
import type { FindInput } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
import {
  accessOf,
  contains,
  equalNamesFirst,
  isOpenTo,
  isOwnMembership,
  isSearched,
} from './access.ts';

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

/**
 * Accounts by name, those with exactly the given name first. A search in one account finds that
 * account.
 */
export async function findAccounts(
  db: Db,
  searcher: Searcher,
  { search, skip, limit }: Omit<FindInput, 'roles'>,
) {
  const { account, words, uuid } = search;
  if (account === null && words.length === 0 && uuid === null) return [];
  const match =
    account === null
      ? and(
          uuid === null ? undefined : eq(accounts.id, uuid),
          ...words.map((word) => contains(accounts.name, word)),
        )
      : isSearched(search);
  return await db
    .select(accessOf(searcher))
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher)))
    .orderBy(
      ...equalNamesFirst(accounts.name, account === null ? words : [account]),
      sql`lower(${accounts.name})`,
      asc(accounts.id),
    )
    .offset(skip)
    .limit(limit);
}
