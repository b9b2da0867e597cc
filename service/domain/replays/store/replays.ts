import { and, asc, eq, getTableColumns, isNull, lte, or, sql } from 'drizzle-orm';
import type { EventType } from '#lib/contract/events/events.ts';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { replays } from '../../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';
import type { ReplayWindow } from './replay-events.ts';

export type ReplayRow = typeof replays.$inferSelect;
export type RunningReplay = ReplayRow & {
  subscribedTo: readonly EventType[];
  filter: FilterRule | null;
  webhookCreatedAt: Date;
  webhookUpdatedAt: Date;
};

export async function insertReplay(tx: Tx, row: typeof replays.$inferInsert): Promise<ReplayRow> {
  const [inserted] = await tx.insert(replays).values(row).returning();
  if (!inserted) throw new Error('an inserted replay was not returned');
  return inserted;
}

/**
 * A running replay of the same window and choice of events, if there is one. Two replays whose
 * window ends "now" count as the same, although they began at different times; such a window ends
 * when the replay was created.
 */
export async function findIdenticalReplay(
  tx: Tx,
  { webhook, since, until, statusFilter, sendsPending, sendsEarlier }: ReplayWindow,
  now: Date,
): Promise<ReplayRow | null> {
  const isUntilNow = until.getTime() === now.getTime();
  const [row] = await tx
    .select()
    .from(replays)
    .where(
      and(
        columnsEqual(replays, { accountId: webhook.accountId, webhookId: webhook.id }),
        isRunning(),
        eq(replays.statusFilter, statusFilter),
        eq(replays.sendsPending, sendsPending ?? false),
        eq(replays.sendsEarlier, sendsEarlier ?? false),
        eq(replays.since, since),
        or(eq(replays.until, until), isUntilNow ? eq(replays.until, replays.createdAt) : undefined),
      ),
    )
    .orderBy(asc(replays.createdAt))
    .limit(1);
  return row ?? null;
}

/** A replay of a webhook that the account still has. */
export async function findReplayRow(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<ReplayRow | null> {
  const [row] = await db
    .select(getTableColumns(replays))
    .from(replays)
    .innerJoin(webhooks, eq(webhooks.id, replays.webhookId))
    .where(columnsEqual(replays, { accountId, uuid }));
  return row ?? null;
}

/** How many deliveries of a replay were not sent since it queued them. */
export async function countWaiting(
  db: Db | Tx,
  { accountId, webhookId, uuid }: Pick<ReplayRow, 'accountId' | 'webhookId' | 'uuid'>,
): Promise<number> {
  return await db.$count(
    deliveries,
    and(
      columnsEqual(deliveries, { accountId, webhookId, replayUuid: uuid }),
      // A literal: a cached plan with a parameter could not use the index of what is pending.
      sql`${deliveries.status} = 'pending'`,
      or(eq(deliveries.tries, 0), deliveries.isRequested),
    ),
  );
}

/** The replay, locked: none of its steps runs until the transaction ends. */
export async function lockReplay(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'uuid'>,
): Promise<ReplayRow | null> {
  const [row] = await tx.select().from(replays).where(isReplay(replay)).for('update');
  return row ?? null;
}

export async function updateReplayRow(
  tx: Tx,
  replay: Pick<ReplayRow, 'accountId' | 'uuid'>,
  change: Partial<typeof replays.$inferInsert>,
): Promise<ReplayRow> {
  const [updated] = await tx.update(replays).set(change).where(isReplay(replay)).returning();
  if (!updated) throw new Error('a locked replay was not found');
  return updated;
}

export async function cancelRunningReplays(
  tx: Tx,
  webhook: { accountId: string; id: number },
  now: Date,
): Promise<void> {
  await tx
    .update(replays)
    .set({ state: 'cancelled', finishedAt: now })
    .where(
      and(
        columnsEqual(replays, { accountId: webhook.accountId, webhookId: webhook.id }),
        isRunning(),
      ),
    );
}

/**
 * Replays of all accounts that can advance: running, with a window that is over and an active
 * webhook. Of the replays of one webhook only the oldest, so that nobody delays other accounts with
 * many replays.
 */
export async function listRunnableReplays(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectDistinctOn([replays.webhookId], { uuid: replays.uuid })
    .from(replays)
    .innerJoin(webhooks, and(eq(webhooks.id, replays.webhookId), eq(webhooks.isActive, true)))
    .where(and(isRunning(), lte(replays.until, now), isAccountNotDeleted(replays.accountId)))
    .orderBy(asc(replays.webhookId), asc(replays.createdAt), asc(replays.uuid));
  return rows.map(({ uuid }) => uuid);
}

/**
 * A running replay with its webhook's present event types, and when the webhook was last changed;
 * locked. Null if it is over, or another process has locked it.
 */
export async function takeRunningReplay(tx: Tx, uuid: string): Promise<RunningReplay | null> {
  const [row] = await tx
    .select({
      replay: replays,
      subscribedTo: webhooks.events,
      filter: webhooks.filter,
      webhookCreatedAt: webhooks.createdAt,
      webhookUpdatedAt: webhooks.updatedAt,
    })
    .from(replays)
    .innerJoin(webhooks, and(eq(webhooks.id, replays.webhookId), eq(webhooks.isActive, true)))
    .where(and(eq(replays.uuid, uuid), isRunning(), isAccountNotDeleted(replays.accountId)))
    .for('update', { of: replays, skipLocked: true });
  if (!row) return null;
  const { replay, ...webhook } = row;
  return { ...replay, ...webhook };
}

/** Cancelled replays of all accounts whose deliveries are not known to be cancelled completely. */
export async function listUnfinishedCancellations(db: Db): Promise<string[]> {
  const rows = await db
    .select({ uuid: replays.uuid })
    .from(replays)
    .where(isUnfinishedCancellation());
  return rows.map(({ uuid }) => uuid);
}

/** One of them, locked; null if it is finished, or another process has locked it. */
export async function takeUnfinishedCancellation(tx: Tx, uuid: string): Promise<ReplayRow | null> {
  const [row] = await tx
    .select()
    .from(replays)
    .where(and(eq(replays.uuid, uuid), isUnfinishedCancellation()))
    .for('update', { skipLocked: true });
  return row ?? null;
}

// The states are literals: a cached plan with a parameter for the state could not use the indexes
// that hold only one state.

function isRunning() {
  return sql`${replays.state} = 'running'`;
}

function isUnfinishedCancellation() {
  return and(sql`${replays.state} = 'cancelled'`, isNull(replays.finishedAt));
}

function isReplay({ accountId, uuid }: Pick<ReplayRow, 'accountId' | 'uuid'>) {
  return columnsEqual(replays, { accountId, uuid });
}
