import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import { removeExpiredEntries } from '../audit/remove-oldest-entries.ts';
import type { PauseBetweenBatches } from '../in-batches.ts';
import { removeExpiredSearches } from '../support-desk/searches.ts';
import {
  deleteAttemptsOf,
  deleteAttemptsOfWebhook,
  deleteDeliveriesOf,
  deleteDeliveriesOfWebhook,
  deleteEvents,
  deleteReplays,
  findFinishedEvents,
  listDeletedWebhooks,
  listOldEvents,
  tryRetentionLock,
  type OldEvent,
} from './store.ts';

type RetentionContext = Pick<Context, 'db' | 'clock' | 'log'> & {
  config: Pick<Context['config'], 'retentionDays'>;
};

/**
 * Removes events older than RETENTION_DAYS with their deliveries and attempts, replays that ended
 * before that, and what deleted webhooks left behind. An event stays complete as long as one of its
 * deliveries is pending or it is in the window of a running replay.
 *
 * Works in transactions of at most 500 rows, and rests after each. Returns immediately if another
 * process is doing this, which then finishes the work.
 *
 * @returns how many rows were removed
 */
export async function applyRetention(
  ctx: RetentionContext,
  rest: PauseBetweenBatches,
): Promise<number> {
  return await takeBatches(ctx, removeExpired(ctx), rest);
}

async function* removeExpired(ctx: RetentionContext): AsyncGenerator<Batch> {
  yield* removeLeftovers(ctx);
  const before = daysBefore(ctx.clock.now(), ctx.config.retentionDays);
  yield* inBatches(ctx, (tx) => deleteReplays(tx, before, batchSize));
  yield* removeEvents(ctx, before);
}

/** Attempts go before their deliveries, and these before their events: nothing is orphaned. */
async function* removeLeftovers(ctx: RetentionContext): AsyncGenerator<Batch> {
  for (const webhookId of await listDeletedWebhooks(ctx.db)) {
    yield* inBatches(ctx, (tx) => deleteAttemptsOfWebhook(tx, webhookId, batchSize));
    yield* inBatches(ctx, (tx) => deleteDeliveriesOfWebhook(tx, webhookId, batchSize));
  }
}

/**
 * Goes through all old events, a page at a time: if millions stay, such as the backlog of an
 * inactive webhook, one search for finished events would exceed the time limit of a statement.
 */
async function* removeEvents(ctx: RetentionContext, before: Date): AsyncGenerator<Batch> {
  let after: OldEvent | null = null;
  for (;;) {
    const search: Parameters<typeof listOldEvents>[1] = { before, after, limit: batchSize };
    const old = await listOldEvents(ctx.db, search);
    if (old.length === 0) return;
    const finished = await findFinishedEvents(ctx.db, old);
    if (finished.length > 0) yield* removeFinished(ctx, finished);
    else yield 0;
    after = old.at(-1) ?? null;
  }
}

async function* removeFinished(
  ctx: RetentionContext,
  finished: readonly OldEvent[],
): AsyncGenerator<Batch> {
  yield* inBatches(ctx, (tx) => deleteAttemptsOf(tx, finished, batchSize));
  yield* inBatches(ctx, (tx) => deleteDeliveriesOf(tx, finished, batchSize));
  yield* inBatches(ctx, (tx) => deleteEvents(tx, finished));
}

type AuditRetentionContext = Pick<Context, 'maintenanceDb' | 'auditKeys' | 'clock' | 'log'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
};

/**
 * Removes audit entries and desk searches that are older than AUDIT_RETENTION_DAYS, in the same way
 * as `applyRetention` removes events: 500 rows at a time, by one process.
 *
 * @returns how many rows were removed
 */
export async function applyAuditRetention(
  ctx: AuditRetentionContext,
  rest: PauseBetweenBatches,
): Promise<number> {
  return await takeBatches(ctx, removeExpiredAudit(ctx), rest);
}

async function* removeExpiredAudit(ctx: AuditRetentionContext): AsyncGenerator<Batch> {
  const { maintenanceDb: db, auditKeys } = ctx;
  const now = ctx.clock.now();
  const before = daysBefore(now, ctx.config.auditRetentionDays);
  const about = { before, limit: batchSize, now };
  yield* inBatches({ db }, (tx) => removeExpiredEntries(tx, auditKeys, about));
  yield* inBatches({ db }, (tx) => removeExpiredSearches(tx, about));
}

/** Rows of one transaction: few enough that other transactions hardly wait for their locks. */
const batchSize = 500;

/** How many rows a batch removed, or `busy` if another process is removing rows. */
type Batch = number | 'busy';

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

/**
 * Runs batches, with a rest after each. Returns immediately if another process is removing rows,
 * which then finishes the work.
 *
 * @returns how many rows were removed
 */
async function takeBatches(
  { log }: { log: Logger },
  batches: AsyncGenerator<Batch>,
  rest: PauseBetweenBatches,
): Promise<number> {
  let removed = 0;
  for await (const batch of batches) {
    if (batch === 'busy') break;
    removed += batch;
    if (!(await rest())) break;
  }
  if (removed > 0) log.info({ removed }, 'expired data removed');
  return removed;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}
