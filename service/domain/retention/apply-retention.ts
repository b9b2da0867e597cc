import type { Context } from '../../context.ts';
import type { PauseBetweenBatches } from '../remove-in-batches.ts';
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
 * Removes events older than RETENTION_DAYS with their deliveries and attempts, replays that ended
 * before that, and what deleted webhooks left behind. An event stays complete as long as one of its
 * deliveries is pending or it is in the window of a running replay.
 *
 * Works in transactions of at most 500 rows, and rests after each. Returns at once if another
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

/**
 * Attempts are removed before their deliveries, and deliveries before their events, so nothing is
 * ever orphaned.
 */
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
