import { and, asc, count, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { installationSupport, supportVisits } from '../../../db/schema/people/support.ts';
import type { FindInput, Searcher } from '../rules.ts';
import {
  accessOf,
  contains,
  equalNamesFirst,
  hasRole,
  hasWords,
  isOpened,
  isOpenTo,
  isOwnMembership,
  isSearched,
} from './access.ts';

export type FoundAccountRow = Awaited<ReturnType<typeof findAccounts>>[number];

/** Whether someone supports every account that allows it. */
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

/** Accounts by name, exact matches first. A search in one account finds that account. */
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

/**
 * People: first those whose email address was given, then those with exactly the given name, then by
 * name. A person of two accounts is found in both. Where a reason is needed, an address is found
 * only by the whole of it.
 */
export async function findPeople(
  db: Db,
  searcher: Searcher,
  { search, roles, skip, limit }: FindInput,
) {
  const { words, uuid } = search;
  const membership = alias(members, 'membership');
  const hasEmail = (email: string) => sql`lower(${people.email}) = lower(${email}::text)`;
  const isMatch = hasWords(words, (word) =>
    or(
      contains(people.name, word),
      hasEmail(word),
      and(isOpened(searcher), contains(people.email, word)),
    ),
  );
  return await db
    .select({
      access: accessOf(searcher),
      id: people.id,
      name: people.name,
      email: people.email,
      role: membership.role,
      lastSeenAt: membership.lastSeenAt,
    })
    .from(membership)
    .innerJoin(people, eq(people.id, membership.personId))
    .innerJoin(accounts, eq(accounts.id, membership.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(
      and(
        uuid === null ? isMatch : eq(people.id, uuid),
        isSearched(search),
        isOpenTo(searcher),
        hasRole(roles),
      ),
    )
    .orderBy(
      desc(hasEmail(words.join(' '))),
      ...equalNamesFirst(people.name, words),
      asc(people.name),
      asc(people.id),
      asc(accounts.id),
    )
    .offset(skip)
    .limit(limit);
}
