import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import { removeExpiredEntries } from '../audit/remove-expired-entries.ts';
import type { Rest } from '../remove-in-batches.ts';
import { removeExpiredSearches } from '../support/remove-expired-searches.ts';
import {
  deleteAttemptsOf,
  deleteAttemptsOfWebhook,
  deleteDeliveriesOf,
  deleteDeliveriesOfWebhook,
  deleteEvents,
  deleteReplays,
  listDeletedWebhooks,
  listFinishedEvents,
  tryRetentionLock,
} from './store.ts';
import type { OldEvent } from './store.ts';

/** Rows of one transaction: few enough that others hardly wait for their locks. */
const batchSize = 500;

type RetentionContext = Pick<Context, 'db' | 'maintenanceDb' | 'auditKeys' | 'clock' | 'log'> & {
  config: Pick<Context['config'], 'retentionDays' | 'auditRetentionDays'>;
};

/**
 * Removes what is older than RETENTION_DAYS (events with their deliveries and attempts, replays that
 * ended) and AUDIT_RETENTION_DAYS (audit entries, searches at the support desk), and what deleted webhooks left behind. An event stays whole as
 * long as one of its deliveries is pending or a running replay comes to it.
 *
 * Works in transactions of at most 500 rows, and rests after each. Ends at once where another
 * process is at it, which finishes the work.
 *
 * @returns how many rows were removed
 */
export async function applyRetention(ctx: RetentionContext, rest: Rest): Promise<number> {
  let removed = 0;
  for await (const batch of removeExpired(ctx)) {
    if (batch === 'busy') break;
    removed += batch;
    if (!(await rest())) break;
  }
  if (removed > 0) ctx.log.info({ removed }, 'what was kept long enough is removed');
  return removed;
}

/** How many rows a batch removed, or that another process is at it. */
type Batch = number | 'busy';

async function* removeExpired(ctx: RetentionContext): AsyncGenerator<Batch> {
  yield* removeLeftovers(ctx);
  const before = daysAgo(ctx, ctx.config.retentionDays);
  yield* inBatches(ctx, (tx) => deleteReplays(tx, before, batchSize));
  yield* removeEvents(ctx, before);
  const auditBefore = daysAgo(ctx, ctx.config.auditRetentionDays);
  const about = { before: auditBefore, limit: batchSize, now: ctx.clock.now() };
  yield* inBatches({ db: ctx.maintenanceDb }, (tx) =>
    removeExpiredEntries(tx, ctx.auditKeys, about),
  );
  yield* inBatches({ db: ctx.maintenanceDb }, (tx) => removeExpiredSearches(tx, about));
}

/** Attempts go before their deliveries, and these before their events: nothing is ever orphaned. */
async function* removeLeftovers(ctx: RetentionContext): AsyncGenerator<Batch> {
  for (const webhookId of await listDeletedWebhooks(ctx.db)) {
    yield* inBatches(ctx, (tx) => deleteAttemptsOfWebhook(tx, webhookId, batchSize));
    yield* inBatches(ctx, (tx) => deleteDeliveriesOfWebhook(tx, webhookId, batchSize));
  }
}

async function* removeEvents(ctx: RetentionContext, before: Date): AsyncGenerator<Batch> {
  let after: OldEvent | null = null;
  for (;;) {
    const search: Parameters<typeof listFinishedEvents>[1] = { before, after, limit: batchSize };
    const old = await listFinishedEvents(ctx.db, search);
    if (old.length === 0) return;
    yield* inBatches(ctx, (tx) => deleteAttemptsOf(tx, old, batchSize));
    yield* inBatches(ctx, (tx) => deleteDeliveriesOf(tx, old, batchSize));
    yield* inBatches(ctx, (tx) => deleteEvents(tx, old));
    after = old.at(-1) ?? null;
  }
}

/** Repeats a removal, each time in a transaction of its own, until it finds nothing. */
async function* inBatches(
  { db }: { db: Db },
  remove: (tx: Tx) => Promise<number>,
): AsyncGenerator<Batch> {
  for (;;) {
    const removed = await db.transaction(async (tx): Promise<Batch> => {
      return (await tryRetentionLock(tx)) ? await remove(tx) : 'busy';
    });
    if (removed === 0) return;
    yield removed;
  }
}

function daysAgo({ clock }: RetentionContext, days: number): Date {
  return new Date(clock.now().getTime() - days * 86_400_000);
}
