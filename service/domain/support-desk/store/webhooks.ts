import { and, desc, eq, exists, inArray, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db } from '../../../db/open.ts';
import { conversations, messages } from '../../../db/schema/conversations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import type { FindInput, Searcher } from '../rules.ts';
import {
  accessOf,
  contains,
  equalNamesFirst,
  hasEqualName,
  hasRole,
  hasWords,
  isOpenTo,
  isOwnMembership,
  isSearched,
} from './access.ts';

/**
 * Webhooks: first the one whose id, UUID or whole URL was given, then those with exactly the given
 * name, then the newest first.
 *
 * @param options.urlRoles the roles that see whole URLs; others find a URL by a part of its host only
 */
export async function findWebhooks(
  db: Db,
  searcher: Searcher,
  { search, roles, urlRoles, skip, limit }: FindInput & { urlRoles: readonly Role[] },
) {
  const { words, uuid, id } = search;
  const url = words.length === 1 ? URL.parse(words[0] ?? '')?.href : undefined;
  const exact = [
    ...(uuid === null ? [] : [eq(webhooks.uuid, uuid)]),
    ...(id === null ? [] : [sql`${webhooks.id} = ${id}::bigint`]),
    ...(url === undefined ? [] : [eq(webhooks.url, url)]),
  ];
  const shownUrl = sql`case when ${inArray(members.role, [...urlRoles])} then ${webhooks.url} else substring(${webhooks.url} from '^[^:]+://[^/?#]+') end`;
  const isMatch = hasWords(words, (word) =>
    or(contains(webhooks.name, word), contains(shownUrl, word)),
  );
  const matching = (...conditions: (SQL | undefined)[]) =>
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
      .leftJoin(members, isOwnMembership(searcher))
      .where(and(...conditions, isSearched(search), isOpenTo(searcher), hasRole(roles)))
      .limit(skip + limit);
  // As for keys: each condition is read in the order of ids, until there are enough matches.
  const [first, ...others] = [
    ...exact.map((match) => matching(match).orderBy(desc(webhooks.id))),
    ...(words.length === 0
      ? []
      : [
          matching(hasEqualName(webhooks.name, words), isMatch).orderBy(
            ...equalNamesFirst(webhooks.name, words),
            desc(webhooks.id),
          ),
          matching(isMatch).orderBy(desc(webhooks.id)),
        ]),
  ];
  if (!first) return [];
  const ids = others.reduce((all, each) => all.unionAll(each), first.$dynamic());
  return await db
    .select({
      access: accessOf(searcher),
      id: webhooks.id,
      name: webhooks.name,
      url: webhooks.url,
      isActive: webhooks.isActive,
      inactiveReason: webhooks.inactiveReason,
      failureCount: lanes.failureCount,
      failingSince: lanes.failingSince,
      lastTriggeredAt: lanes.lastTriggeredAt,
    })
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(inArray(webhooks.id, ids), isOpenTo(searcher), hasRole(roles)))
    .orderBy(
      ...exact.map((match) => desc(match)),
      ...equalNamesFirst(webhooks.name, words),
      desc(webhooks.id),
    )
    .offset(skip)
    .limit(limit);
}

/**
 * The accounts that have a delivery, event, message or conversation with the id or UUID. Each
 * condition reads an index of every account, or one of the whole table.
 */
export async function findAccountsOfNamed(
  db: Db,
  searcher: Searcher,
  { search, roles }: Pick<FindInput, 'search' | 'roles'>,
) {
  const { id, uuid } = search;
  if (id === null && uuid === null) return [];
  const isNamed = (table: { id: AnyColumn; uuid: AnyColumn }) =>
    uuid === null ? eq(table.id, id) : eq(table.uuid, uuid);
  const has = (table: typeof events | typeof messages | typeof conversations) =>
    exists(
      db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.accountId, accounts.id), isNamed(table))),
    );
  const hasDelivery = exists(
    db
      .select({ id: deliveries.id })
      .from(webhooks)
      .innerJoin(deliveries, eq(deliveries.webhookId, webhooks.id))
      .where(and(eq(webhooks.accountId, accounts.id), isNamed(deliveries))),
  );
  return await db
    .select(accessOf(searcher))
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(
      and(
        or(has(events), has(messages), has(conversations), hasDelivery),
        isSearched(search),
        isOpenTo(searcher),
        hasRole(roles),
      ),
    )
    .orderBy(accounts.id);
}
