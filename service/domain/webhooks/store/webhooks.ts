import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  or,
  sql,
} from 'drizzle-orm';
import { allTypesWith, type EventType } from '#lib/contract/events/events.ts';
import { failingFrom } from '#lib/contract/webhooks/failing.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { hotRead } from '../../../db/statements/hot-read.ts';
import type { AccountId } from '../../account-id.ts';
import type { ResourceReference } from '../../resource-reference.ts';

/** A webhook with the counters of its attempts, which are stored in its lane. */
export type WebhookRow = typeof webhooks.$inferSelect &
  Pick<typeof lanes.$inferSelect, 'failureCount' | 'failingSince' | 'lastTriggeredAt'>;
export type NewWebhookRow = typeof webhooks.$inferInsert;

const webhookWithCounters = {
  ...getTableColumns(webhooks),
  failureCount: lanes.failureCount,
  failingSince: lanes.failingSince,
  lastTriggeredAt: lanes.lastTriggeredAt,
};

const webhooksOfAccount = hotRead(webhookWithCounters, (select) =>
  select
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(eq(webhooks.accountId, sql.placeholder('accountId')))
    .orderBy(desc(webhooks.id)),
);

/** All webhooks of an account, newest first. */
export async function listWebhookRows(db: Db | Tx, accountId: AccountId): Promise<WebhookRow[]> {
  return await webhooksOfAccount(db, { accountId });
}

export async function findWebhookRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<WebhookRow | null> {
  const [row] = await db
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(isReferred(accountId, reference));
  return row ?? null;
}

/** The webhook, locked until the transaction ends; its lane is not. */
export async function lockWebhook(
  tx: Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<WebhookRow | null> {
  const [row] = await tx
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(isReferred(accountId, reference))
    .for('update', { of: webhooks });
  return row ?? null;
}

/** Webhooks of any account, for acts of the service itself; locked, by id. */
export async function lockWebhooks(tx: Tx, webhookIds: readonly number[]): Promise<WebhookRow[]> {
  return await tx
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(inArray(webhooks.id, [...webhookIds]))
    .orderBy(asc(webhooks.id))
    .for('update', { of: webhooks });
}

/** The same, for active webhooks only. */
export async function lockActiveWebhooks(
  tx: Tx,
  webhookIds: readonly number[],
): Promise<WebhookRow[]> {
  return (await lockWebhooks(tx, webhookIds)).filter(({ isActive }) => isActive);
}

/** Active webhooks of all accounts that fail since `failingBy` or longer, with fewer warnings. */
export async function listUnwarnedWebhooks(
  db: Db,
  { failingBy, warningCount }: { failingBy: Date; warningCount: number },
): Promise<{ id: number }[]> {
  return await db
    .select({ id: webhooks.id })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .where(
      and(
        lte(lanes.failingSince, failingBy),
        lt(lanes.warningCount, warningCount),
        eq(webhooks.isActive, true),
        isAccountNotDeleted(webhooks.accountId),
      ),
    )
    .orderBy(asc(webhooks.id));
}

/** Counts a warning; false if another process did, or the webhook works again. */
export async function countWarning(
  tx: Tx,
  {
    webhookId,
    failingBy,
    warningCount,
  }: { webhookId: number; failingBy: Date; warningCount: number },
): Promise<boolean> {
  const counted = await tx
    .update(lanes)
    .set({ warningCount })
    .where(
      and(
        eq(lanes.webhookId, webhookId),
        lte(lanes.failingSince, failingBy),
        lt(lanes.warningCount, warningCount),
      ),
    )
    .returning({ webhookId: lanes.webhookId });
  return counted.length > 0;
}

/** The caller creates its lane. */
export async function insertWebhook(tx: Tx, row: NewWebhookRow): Promise<WebhookRow> {
  const [inserted] = await tx.insert(webhooks).values(row).returning();
  if (!inserted) throw new Error('an inserted webhook was not returned');
  return { ...inserted, failureCount: 0, failingSince: null, lastTriggeredAt: null };
}

export async function updateWebhookRow(
  tx: Tx,
  webhook: WebhookRow,
  change: Partial<NewWebhookRow>,
): Promise<WebhookRow> {
  const [updated] = await tx
    .update(webhooks)
    .set(change)
    .where(columnsEqual(webhooks, { accountId: webhook.accountId, id: webhook.id }))
    .returning();
  if (!updated) throw new Error('a locked webhook was not found');
  return { ...webhook, ...updated };
}

export async function deleteWebhookRow(tx: Tx, webhook: WebhookRow): Promise<void> {
  await tx
    .delete(webhooks)
    .where(columnsEqual(webhooks, { accountId: webhook.accountId, id: webhook.id }));
}

function isReferred(accountId: AccountId, reference: ResourceReference) {
  return and(
    eq(webhooks.accountId, accountId),
    reference.kind === 'id' ? eq(webhooks.id, reference.id) : eq(webhooks.uuid, reference.uuid),
  );
}

/** Up to `limit` active webhooks of all accounts that began to fail and are not announced yet. */
export async function listUnannouncedFailing(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: number }[]> {
  return await db
    .select({ id: webhooks.id })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .where(
      and(isUnannounced(now), eq(webhooks.isActive, true), isAccountNotDeleted(webhooks.accountId)),
    )
    .orderBy(asc(lanes.failingSince))
    .limit(limit);
}

/**
 * Records that a failing webhook is announced; null if another process did so, or the webhook works
 * again. Locks the lane; the caller must have locked the webhook.
 */
export async function claimFailing(
  tx: Tx,
  webhookId: number,
  now: Date,
): Promise<{ failingSince: Date; failureCount: number } | null> {
  const [lane] = await tx
    .update(lanes)
    .set({ failingAnnouncedFor: sql`${lanes.failingSince}` })
    .where(and(eq(lanes.webhookId, webhookId), isUnannounced(now)))
    .returning({ failingSince: lanes.failingSince, failureCount: lanes.failureCount });
  return lane?.failingSince ? { ...lane, failingSince: lane.failingSince } : null;
}

/** The first two conditions are those of the index. */
function isUnannounced(now: Date) {
  return and(
    sql`${lanes.failingSince} is distinct from ${lanes.failingAnnouncedFor}`,
    isNotNull(lanes.failingSince),
    or(
      gte(lanes.failureCount, failingFrom.attempts),
      lte(lanes.failingSince, new Date(now.getTime() - failingFrom.ms)),
    ),
  );
}

/** Which of these event types a webhook's pending deliveries have. */
export async function listPendingTypes(
  tx: Tx,
  webhook: { accountId: string; id: number },
  types: readonly EventType[],
): Promise<EventType[]> {
  const found = await tx
    .selectDistinct({ type: deliveries.eventType })
    .from(deliveries)
    .where(
      and(
        columnsEqual(deliveries, {
          accountId: webhook.accountId,
          webhookId: webhook.id,
          status: 'pending',
        }),
        inArray(deliveries.eventType, [...types]),
      ),
    );
  return types.filter((type) => found.some((each) => each.type === type));
}

/**
 * Gives the webhooks that subscribe to all event types those that this version adds. An older
 * version that still runs ignores them.
 */
export async function addTypesToAll(db: Db): Promise<void> {
  const types = allTypesWith([]);
  await db
    .update(webhooks)
    .set({
      events: sql`${sqlTypes(types)} || array(
        select type from unnest(${webhooks.events}) as type where type <> all(${sqlTypes(types)})
      )`,
    })
    .where(and(eq(webhooks.allEvents, true), sql`not ${webhooks.events} @> ${sqlTypes(types)}`));
}

function sqlTypes(types: readonly EventType[]) {
  return sql`${`{${types.join(',')}}`}::text[]`;
}

/** Webhooks of all accounts that work again after failures that were announced. */
export async function listRecovered(db: Db, limit: number): Promise<{ id: number }[]> {
  return await db
    .select({ id: webhooks.id })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .where(
      and(
        isNotNull(lanes.recoveredAt),
        eq(webhooks.isActive, true),
        isAccountNotDeleted(webhooks.accountId),
      ),
    )
    .orderBy(asc(lanes.recoveredAt))
    .limit(limit);
}

/**
 * Records that a recovery is announced; false if another process did so. Locks the lane; the caller
 * must have locked the webhook.
 */
export async function claimRecovery(tx: Tx, webhookId: number): Promise<boolean> {
  const claimed = await tx
    .update(lanes)
    .set({
      recoveredAt: null,
      failingAnnouncedFor: sql`case when ${lanes.failingSince} = ${lanes.failingAnnouncedFor} then ${lanes.failingAnnouncedFor} end`,
    })
    .where(and(eq(lanes.webhookId, webhookId), isNotNull(lanes.recoveredAt)))
    .returning({ webhookId: lanes.webhookId });
  return claimed.length > 0;
}

/** Records that a webhook was deactivated, so that people learn when it works again. */
export async function awaitRecovery(tx: Tx, webhookId: number, now: Date): Promise<void> {
  await tx
    .update(lanes)
    .set({ failingAnnouncedFor: sql`coalesce(${lanes.failingAnnouncedFor}, ${sqlInstant(now)})` })
    .where(eq(lanes.webhookId, webhookId));
}

/** The webhook whose contact this link confirms. */
export async function findWebhookByContactLink(tx: Tx, digest: Buffer): Promise<number | null> {
  const [row] = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.contactLinkDigest, digest));
  return row?.id ?? null;
}
