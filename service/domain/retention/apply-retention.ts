import type { Context } from '../../context.ts';
import type { Rest } from '../remove-in-batches.ts';
import { batchSize, daysBefore, inBatches, takeBatches } from './locked-batches.ts';
import type { Batch } from './locked-batches.ts';
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
} from './store.ts';
import type { OldEvent } from './store.ts';

type RetentionContext = Pick<Context, 'db' | 'clock' | 'log'> & {
  config: Pick<Context['config'], 'retentionDays'>;
};

/**
 * Removes what is older than RETENTION_DAYS (events with their deliveries and attempts, replays that
 * ended), and what deleted webhooks left behind. An event stays whole as long as one of its deliveries
 * is pending or a running replay comes to it.
 *
 * Works in transactions of at most 500 rows, and rests after each. Ends at once where another
 * process is at it, which finishes the work.
 *
 * @returns how many rows were removed
 */
export async function applyRetention(ctx: RetentionContext, rest: Rest): Promise<number> {
  return await takeBatches(ctx, removeExpired(ctx), rest);
}

async function* removeExpired(ctx: RetentionContext): AsyncGenerator<Batch> {
  yield* removeLeftovers(ctx);
  const before = daysBefore(ctx.clock.now(), ctx.config.retentionDays);
  yield* inBatches(ctx, (tx) => deleteReplays(tx, before, batchSize));
  yield* removeEvents(ctx, before);
}

/** Attempts go before their deliveries, and these before their events: nothing is ever orphaned. */
async function* removeLeftovers(ctx: RetentionContext): AsyncGenerator<Batch> {
  for (const webhookId of await listDeletedWebhooks(ctx.db)) {
    yield* inBatches(ctx, (tx) => deleteAttemptsOfWebhook(tx, webhookId, batchSize));
    yield* inBatches(ctx, (tx) => deleteDeliveriesOfWebhook(tx, webhookId, batchSize));
  }
}

/**
 * Goes through all old events, a page at a time: where millions stay, as in the backlog of an inactive
 * webhook, a search for finished ones would take longer than a statement may.
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
