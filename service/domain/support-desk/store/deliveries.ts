import { and, eq, exists, or } from 'drizzle-orm';
import type { AnyColumn } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { conversations, messages } from '../../../db/schema/conversations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import type { FindInput } from '../rules.ts';
import type { Searcher } from '../searcher.ts';
import { accessOf, hasRole, isOpenTo, isOwnMembership, isSearched } from './access.ts';

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
