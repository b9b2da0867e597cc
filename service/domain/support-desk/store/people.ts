import { and, asc, desc, eq, or, sql } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import type { DeskSearch } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
import { access, contains, hasRole, isOpenTo, isOwnMembership } from './access.ts';

/**
 * People: first those whose email address was given, then by name. A person of two accounts is
 * found in both.
 */
export async function findPeople(
  db: Db,
  searcher: Searcher,
  { search, roles, limit }: { search: DeskSearch; roles: readonly Role[]; limit: number },
) {
  const { text } = search;
  if (text === null) return [];
  const found = db
    .select({
      personId: sql<string>`${people.id}`.as('found_id'),
      name: people.name,
      email: people.email,
      accountId: sql<string>`${members.accountId}`.as('found_account'),
      role: sql<Role>`${members.role}`.as('found_role'),
      lastSeenAt: sql`${members.lastSeenAt}`.mapWith(members.lastSeenAt).as('found_seen'),
    })
    .from(people)
    .innerJoin(members, eq(members.personId, people.id))
    .where(or(contains(people.name, text), contains(people.email, text), eq(people.id, text)))
    .as('found');
  return await db
    .select({
      access,
      id: found.personId,
      name: found.name,
      email: found.email,
      role: found.role,
      lastSeenAt: found.lastSeenAt,
    })
    .from(found)
    .innerJoin(accounts, eq(accounts.id, found.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(isOpenTo(searcher), hasRole(roles)))
    .orderBy(
      desc(sql`lower(${found.email}) = lower(${text}::text)`),
      asc(found.name),
      asc(found.personId),
      asc(accounts.id),
    )
    .limit(limit);
}
