import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import { repeat, type Repetition } from '../../timing/repeat.ts';
import { processEach } from '../process-each.ts';
import { decide } from '../events/apply-filters.ts';
import { cancelPendingDeliveries } from '../deliveries/cancel-pending-deliveries.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { maxWriteMs } from './begin-replay.ts';
import {
  areDeliveriesDue,
  findEndOfPage,
  findEventIdAfter,
  insertMissingDeliveries,
  isAnyWriting,
  listEventWriters,
  listReplayEvents,
  requeueDeliveries,
} from './store/replay-events.ts';
import {
  listRunnableReplays,
  listUnfinishedCancellations,
  takeRunningReplay,
  takeUnfinishedCancellation,
  updateReplayRow,
  type ReplayRow,
  type RunningReplay,
} from './store/replays.ts';

const everyMs = 1000;

/**
 * Advances replays by a step each second. Stopping waits only for the step in progress. While no
 * replay runs, a step only reads two empty indexes.
 */
export function startReplays(ctx: Context): Repetition {
  const stopping = new AbortController();
  const repetition = repeat({
    everyMs,
    act: () => advanceReplays(ctx, stopping.signal),
    log: ctx.log,
    failure: 'could not advance replays',
  });
  return {
    async stop() {
      stopping.abort();
      await repetition.stop();
    },
  };
}

const eventsPerStep = 1000;

/** With a filter, which needs the payloads: so few that they fit into memory. */
const filteredEventsPerStep = 100;

/**
 * How many events a step reads to find them. Few of them may match: a replay of failed events reads
 * what was delivered as well.
 */
const eventsReadPerStep = 10_000;

/**
 * A step waits while this many deliveries of its webhook are due, so that new events, which are due
 * later, do not wait for all that a long replay sends.
 */
const fullQueue = 1000;

/**
 * Advances the oldest running replay of each webhook by one step, so that a long replay does not
 * delay those of other webhooks. Also continues cancellations that were too large for one
 * transaction. If a replay fails, that is logged, and the others continue. Any number of processes
 * may do this at the same time. A replay's progress is stored together with the deliveries it
 * queued: after a crash it continues where it stopped, with nothing queued twice or left out.
 *
 * @param stopping checked before each step
 * @returns whether there is more to do immediately
 */
export async function advanceReplays(ctx: Context, stopping?: AbortSignal): Promise<boolean> {
  let isMore = false;
  const take = async (
    uuids: string[],
    step: (ctx: Context, uuid: string) => Promise<boolean>,
  ): Promise<void> => {
    await processEach(uuids, {
      async act(uuid) {
        if (stopping?.aborted) return;
        isMore = (await step(ctx, uuid)) || isMore;
      },
      log: ctx.log,
      failure: 'could not advance a replay',
      name: (uuid) => ({ replay: uuid }),
    });
  };
  await take(await listRunnableReplays(ctx.db, ctx.clock.now()), advanceReplay);
  await take(await listUnfinishedCancellations(ctx.db), continueCancelling);
  return isMore;
}

async function advanceReplay(ctx: Context, uuid: string): Promise<boolean> {
  const step = await queueStep(ctx, uuid);
  if (step && step.queued > 0) ctx.laneNotifier.queue([step.webhookId]);
  return step?.isMore ?? false;
}

async function continueCancelling(ctx: Context, uuid: string): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const replay = await takeUnfinishedCancellation(tx, uuid);
    if (!replay) return false;
    const webhook = { accountId: replay.accountId, id: replay.webhookId };
    const { isMore } = await cancelPendingDeliveries(tx, webhook, { replayUuid: uuid, now });
    if (!isMore) await updateReplayRow(tx, replay, { finishedAt: now });
    return isMore;
  });
}

/**
 * One step in one transaction; null if another process has locked the replay, it is over, some of
 * its events may not be committed yet, or the queue of its webhook is full.
 */
async function queueStep(
  ctx: Context,
  uuid: string,
): Promise<{ webhookId: number; queued: number; isMore: boolean } | null> {
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const taken = await takeRunningReplay(tx, uuid);
    const replay = taken && (await whenCommitted(tx, taken, now));
    if (!replay) return null;
    const { accountId, webhookId: id, subscribedTo, webhookCreatedAt: createdAt } = replay;
    if (await areDeliveriesDue(tx, id, { now, atLeast: fullQueue })) return null;
    const after = replay.cursorEventId;
    const upTo = await findEndOfPage(tx, accountId, { after, count: eventsReadPerStep });
    const limit = replay.filter === null ? eventsPerStep : filteredEventsPerStep;
    const found = await listReplayEvents(
      tx,
      { ...replay, webhook: { accountId, id, events: subscribedTo, createdAt } },
      { after, upTo, limit, withPayload: replay.filter !== null },
    );
    const missing = found.filter(({ hasDelivery }) => !hasDelivery);
    const sent = await withoutFilteredOut(tx, replay, missing);
    // Not before the events are read, because the completions of a worker wait for the lane.
    if (found.length > 0) await lockLane(tx, id);
    // Read after the lane is locked, so that every attempt that began while this step read events
    // is earlier than the deliveries that it queues.
    const queuedAt = ctx.clock.now();
    const existing = found.filter(({ hasDelivery }) => hasDelivery);
    const queued =
      (await requeueDeliveries(tx, replay, {
        eventIds: existing.map((event) => event.id),
        now: queuedAt,
      })) + (await insertMissingDeliveries(tx, replay, { missing: sent, now: queuedAt }));
    const isFull = found.length === limit;
    const isMore = isFull || (upTo !== null && !(await isEndOfWindow(tx, replay, upTo)));
    await updateReplayRow(tx, replay, {
      done: replay.done + queued + missing.length - sent.length,
      cursorEventId: isFull ? (found.at(-1)?.id ?? after) : (upTo ?? after),
      ...(!isMore && { state: 'done', finishedAt: queuedAt }),
    });
    return { webhookId: id, queued, isMore };
  });
}

/**
 * The events that the filter in force lets through. It applies to events without a delivery only: a
 * delivery was made because a filter let its event through, or because someone sent it.
 */
async function withoutFilteredOut<Event extends { id: number; payload: string | null }>(
  tx: Tx,
  { accountId, webhookId, filter }: RunningReplay,
  missing: readonly Event[],
): Promise<(Event & { filterError: string | null })[]> {
  if (filter === null) return missing.map((event) => ({ ...event, filterError: null }));
  const decisions = await decide(
    tx,
    missing.map(({ id: eventId, payload }) => ({
      accountId,
      eventId,
      webhookId,
      filter,
      payload: payload ?? '',
    })),
  );
  return missing.flatMap((event, index) => {
    const decision = decisions[index];
    return decision?.filteredOut === null ? { ...event, filterError: decision.error } : [];
  });
}

/**
 * Prepares the first steps of a backlog, so that it includes every event that has no delivery
 * because it was written while the webhook was still inactive. Such an event can be committed long
 * after the webhook was resumed: the statement that writes it waits for locks, and sees the webhooks
 * as they were when it began. So the first step waits for all transactions that are writing an
 * event. Those that begin later see the webhook active, and are not waited for.
 *
 * The transaction that resumed the webhook may have waited as well, before its commit. So the window
 * ends when the first step begins, unless the webhook was changed in between: it may have been
 * inactive again. Events that already have their delivery are left alone.
 *
 * @returns the replay; null if there is something to wait for
 */
async function whenCommitted(
  tx: Tx,
  replay: RunningReplay,
  now: Date,
): Promise<RunningReplay | null> {
  if (!isBacklog(replay)) return replay;
  if (replay.awaitedWriters !== null) {
    return (await isAnyWriting(tx, replay.awaitedWriters)) ? null : replay;
  }
  const awaitedWriters = await listEventWriters(tx);
  const until = replay.webhookUpdatedAt > replay.createdAt ? replay.until : latestEnd(replay, now);
  const begun = await updateReplayRow(tx, replay, { awaitedWriters, until });
  return awaitedWriters.length === 0 ? { ...replay, ...begun } : null;
}

/** The transaction that created a replay was committed, or rolled back, by this time. */
function latestEnd({ createdAt, until }: ReplayRow, now: Date): Date {
  const end = Math.min(now.getTime(), createdAt.getTime() + maxWriteMs);
  return new Date(Math.max(end, until.getTime()));
}

/** Only the window of a backlog extends beyond the moment at which the replay was created. */
function isBacklog({ until, createdAt }: ReplayRow): boolean {
  return until > createdAt;
}

/** Whether events with a higher id than this one are all from after the window. */
async function isEndOfWindow(tx: Tx, window: { until: Date }, eventId: number): Promise<boolean> {
  // Not directly after the window, because an event of the window may have got its id later.
  const settledId = await findEventIdAfter(tx, new Date(window.until.getTime() + maxWriteMs));
  return settledId !== null && settledId <= eventId;
}
