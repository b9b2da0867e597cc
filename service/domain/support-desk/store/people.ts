import { and, asc, desc, eq, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import type { FindInput } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
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
