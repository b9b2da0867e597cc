import { and, desc, eq, inArray, or } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { members } from '../../../db/schema/people/members.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import type { DeskSearch } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
import { access, contains, hasRole, isOpenTo, isOwnMembership } from './access.ts';

/** Webhooks: first the one whose id or UUID was given, then the newest first. */
export async function findWebhooks(
  db: Db,
  searcher: Searcher,
  { search, roles, limit }: { search: DeskSearch; roles: readonly Role[]; limit: number },
) {
  const { text, uuid, id } = search;
  const exact = [
    ...(uuid === null ? [] : [eq(webhooks.uuid, uuid)]),
    ...(id === null ? [] : [eq(webhooks.id, id)]),
  ];
  const textMatch =
    text === null || uuid !== null
      ? undefined
      : or(contains(webhooks.name, text), contains(webhooks.url, text));
  // As for keys: each condition is read in the order of ids, until there are enough matches.
  const [first, ...others] = [...exact, ...(textMatch ? [textMatch] : [])].map((match) =>
    db
      .select({ id: webhooks.id })
      .from(webhooks)
      .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
      .leftJoin(members, isOwnMembership(searcher))
      .where(and(match, isOpenTo(searcher), hasRole(roles)))
      .orderBy(desc(webhooks.id))
      .limit(limit),
  );
  if (!first) return [];
  const ids = others.reduce((all, each) => all.unionAll(each), first.$dynamic());
  return await db
    .select({
      access,
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
    .orderBy(...exact.map((match) => desc(match)), desc(webhooks.id))
    .limit(limit);
}
