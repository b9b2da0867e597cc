import { randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import {
  streamEvents as contract,
  type StreamedDelivery,
} from '#lib/contract/events/event-feed.ts';
import { eventAccessOf } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { AuditAction } from '#lib/contract/audit-log/audit-actions.ts';
import type { Context } from '../../context.ts';
import { endsAfter, readSnapshot } from '../../db/statements/list-page.ts';
import type { Tx } from '../../db/open.ts';
import type { ActorReference } from '../../db/schema/columns.ts';
import { mintAccountId, type AccountId } from '../account-id.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { readFollowCursor, writeFollowCursor, type FollowPosition } from '../cursor.ts';
import { invalid, ServiceError } from '../errors.ts';
import { evaluateFilters } from '../events/apply-filters.ts';
import { processEach } from '../process-each.ts';
import { mayReadPayload } from '../events/may-read-payload.ts';
import { findWebhook, readSigningKeys } from '../webhooks/read-webhooks.ts';
import { deliveryHeaders } from '../webhooks/secret/sign.ts';
import {
  deleteSilentStreams,
  deleteStream,
  eventsOf,
  insertStream,
  listAccountsWithSilentStreams,
  listStreamedEvents,
  updateSeen,
  type StreamedEvent,
} from './store.ts';

/** How long a stream waits before it looks for events again, in milliseconds. */
const idlePauseMs = 1000;
const busyPauseMs = 100;
/** How old what was read about the caller and the webhook may be when an event is sent. */
const maxAgeMs = 3000;
/** A stream ends within this time after its caller lost the right to it. */
export const endsWithinMs = idlePauseMs + maxAgeMs;
/** How often an open stream updates `seen_at`. */
const seenEveryMs = 10_000;
/** A stream that was not seen for this long is over: its process crashed, or its client reads nothing. */
const silentAfterMs = 30_000;
/** Proxies close connections on which nothing is sent. */
const keepAliveMs = 15_000;
const batchSize = 50;

type OpenStream = {
  actor: Actor;
  uuid: string;
  webhookId: number;
  webhookName: string;
  signal: AbortSignal;
  sent: number;
};

/** What is read again and again while the stream is open. */
type State = {
  readAt: number;
  seenAt: number;
  filter: Awaited<ReturnType<typeof findWebhook>>['filter'];
  types: EventType[];
  secrets: KeyObject[];
};

/**
 * Streams the events of a webhook, as deliveries would send them, from now on or after a cursor.
 * Events are found by snapshots, like those of a list that is followed, so that none is left out
 * because it was committed after one with a higher id. None is read before the client can take it.
 *
 * @param input.cursor the id of an event that this stream had; undefined: only new events
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that no stream returned;
 * RATE_LIMIT_EXCEEDED if the account has as many open streams as it can have
 */
export async function streamEvents(
  ctx: Context,
  actor: Actor,
  input: { webhook: string; cursor: string | undefined },
): Promise<AsyncIterable<string>> {
  const { accountId } = actor;
  const given =
    input.cursor === undefined ? null : readFollowCursor('events', input.cursor, unknownCursor);
  const { current, ofList } = await readSnapshot(ctx.db, eventsOf(accountId));
  const position: FollowPosition = given ?? { from: ofList };
  if (endsAfter(position.page?.to ?? position.from, current)) throw unknownCursor();
  const webhook = await findWebhook(ctx, actor, input);
  const uuid = randomUUID();
  const stop = ctx.eventStreams.add();
  const stream: OpenStream = {
    actor,
    uuid,
    webhookId: webhook.id,
    webhookName: webhook.name,
    signal: stop.signal,
    sent: 0,
  };
  try {
    await ctx.db.transaction(async (tx) => {
      await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
      await removeSilentStreams(tx, ctx, accountId);
      const row = { accountId, uuid, webhookId: webhook.id, seenAt: ctx.clock.now() };
      if (!(await insertStream(tx, row))) {
        throw new ServiceError('RATE_LIMIT_EXCEEDED', {
          reason: 'stream_limit',
          retryAfterSeconds: 10,
        });
      }
      await recordStream(tx, ctx, { stream, action: 'webhook.stream_opened' });
    });
  } catch (error) {
    ctx.eventStreams.remove(stop);
    throw error;
  }

  const pieces = readPieces(ctx, stream, { ...position, isBehind: given !== null });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeStream(ctx, stream).finally(() => ctx.eventStreams.remove(stop));
    return closing;
  };
  // Not the generator itself: one that never began would not be told that its reader is gone.
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const piece = await pieces.next();
        if (piece.done) await close();
        return piece;
      },
      async return() {
        stop.abort();
        await pieces.return(undefined);
        await close();
        return { done: true, value: undefined };
      },
    }),
  };
}

async function* readPieces(
  ctx: Context,
  stream: OpenStream,
  { from, page, isBehind }: FollowPosition & { isBehind: boolean },
): AsyncGenerator<string, void> {
  const { actor, signal } = stream;
  const webhook = { accountId: actor.accountId, id: stream.webhookId };
  let after = page?.after ?? null;
  let to = page?.to;
  let saidAt = performance.now();
  yield messageOf({ from, ...(page && { page }) });
  try {
    let state = await readState(ctx, stream, null);
    while (!signal.aborted) {
      to ??= (await readSnapshot(ctx.db, eventsOf(actor.accountId))).ofList;
      const at = { from, to, after };
      const wanted = { types: state.types, at, limit: batchSize };
      const read = () => listStreamedEvents(ctx.db, webhook, wanted);
      // Of what a client missed, little may match, so that all of it is read.
      const rows = await (isBehind ? ctx.heavyReads.run(actor.accountId, read) : read());
      const isSent = await passFilter(state, rows);
      for (const [index, row] of rows.entries()) {
        after = row;
        if (!isSent[index]) continue;
        state = await readState(ctx, stream, state);
        if (signal.aborted) return;
        // Only the right to the present types was confirmed.
        if (!state.types.some((type) => type === row.type)) continue;
        const delivery = deliveryOf(row, state, ctx.clock.now());
        stream.sent += 1;
        yield messageOf({ from, page: { to, after: row } }, delivery);
        saidAt = performance.now();
      }
      const isAtEnd = rows.length < batchSize;
      if (isAtEnd) {
        from = to;
        [to, after] = [undefined, null];
        isBehind = false;
      }
      if (performance.now() - saidAt > keepAliveMs) {
        yield messageOf({ from, ...(to && after && { page: { to, after } }) });
        saidAt = performance.now();
      }
      if (isAtEnd) {
        await pause(rows.length > 0 ? busyPauseMs : idlePauseMs, undefined, { signal }).catch(
          () => undefined,
        );
      }
      if (!signal.aborted) state = await readState(ctx, stream, state);
    }
  } catch (error) {
    // The client connects again, and learns from that response what is wrong.
    const info = { webhook_id: stream.webhookId };
    if (error instanceof ServiceError) {
      ctx.log.info(
        { ...info, code: error.code },
        'a stream of events ended: its caller may no longer read it',
      );
    } else ctx.log.error({ ...info, err: error }, 'a stream of events broke off');
  }
}

/** Which of the events the filter of the webhook lets through. */
async function passFilter({ filter }: State, rows: readonly StreamedEvent[]): Promise<boolean[]> {
  if (filter === null) return rows.map(() => true);
  const results = await evaluateFilters(
    rows.map(({ id, payload }) => ({ eventId: id, payload, filter })),
  );
  return results.map(({ isSent }) => isSent);
}

/**
 * Confirms that the caller may still read the events, and reads the webhook again. Does nothing
 * while the state is young enough.
 *
 * @throws ServiceError if the caller may not, or the webhook or the stream is gone
 */
async function readState(ctx: Context, stream: OpenStream, known: State | null): Promise<State> {
  const { actor, uuid } = stream;
  const startedAt = performance.now();
  if (known && startedAt - known.readAt < maxAgeMs) return known;
  const isDue = !known || startedAt - known.seenAt > seenEveryMs;
  const webhook = await findWebhook(ctx, actor, { webhook: String(stream.webhookId) });
  const types = webhook.events.filter((type) => mayReadPayload(actor, type));
  await ctx.db.transaction(async (tx) => {
    const { clock } = ctx;
    await confirmCaller(tx, actor, { ...contract.access, clock });
    const rights = types.flatMap((type) => eventAccessOf(type) ?? []);
    for (const access of new Map(rights.map((right) => [right.scope, right])).values()) {
      await confirmCaller(tx, actor, { ...access, clock });
    }
    if (!isDue) return;
    const isOpen = await updateSeen(tx, { accountId: actor.accountId, uuid }, clock.now());
    if (!isOpen) throw new ServiceError('NOT_FOUND');
  });
  const secrets = await readSigningKeys(ctx, webhook);
  const seenAt = isDue ? startedAt : known.seenAt;
  return { readAt: startedAt, seenAt, filter: webhook.filter, types, secrets };
}

/** A message of the stream. */
function messageOf(position: FollowPosition, delivery?: StreamedDelivery): string {
  const id = `id: ${writeFollowCursor('events', position)}\n`;
  // Without data, a client only stores the id.
  return delivery ? `${id}data: ${JSON.stringify(delivery)}\n\n` : `${id}\n`;
}

function deliveryOf(
  { uuid, payload: body }: StreamedEvent,
  { secrets }: State,
  at: Date,
): StreamedDelivery {
  const messageId = messageIdOf(uuid, { isTest: false });
  return { headers: deliveryHeaders({ messageId, body, secrets }, at), body };
}

async function closeStream(ctx: Context, stream: OpenStream): Promise<void> {
  const { accountId } = stream.actor;
  try {
    await ctx.db.transaction(async (tx) => {
      if (!(await deleteStream(tx, { accountId, uuid: stream.uuid }))) return;
      await recordStream(tx, ctx, { stream, action: 'webhook.stream_closed' });
    });
  } catch (error) {
    // `endSilentStreams` makes up for it.
    ctx.log.error({ err: error }, 'the end of a stream of events could not be recorded');
  }
}

const housekeeping: ActorReference = { kind: 'system', id: null, name: 'Housekeeping' };

/** Ends the streams that nobody closed, such as those of a process that crashed. */
export async function endSilentStreams(ctx: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  await processEach(await listAccountsWithSilentStreams(ctx.db, silentSince(ctx)), {
    act: ({ accountId }) =>
      ctx.db.transaction((tx) => removeSilentStreams(tx, ctx, mintAccountId(accountId))),
    log: ctx.log,
    failure: 'the end of streams of events could not be recorded',
    name: ({ accountId }) => ({ account_id: accountId }),
  });
}

async function removeSilentStreams(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  accountId: AccountId,
): Promise<void> {
  for (const stream of await deleteSilentStreams(tx, accountId, silentSince(ctx))) {
    const id = String(stream.webhookId);
    await recordAudit(tx, {
      accountId,
      by: housekeeping,
      origin: null,
      action: 'webhook.stream_closed',
      at: ctx.clock.now(),
      target: { kind: 'webhook', id, name: stream.webhookName ?? id },
      changes: { reason: 'silent' },
    });
  }
}

function silentSince({ clock }: Pick<Context, 'clock'>): Date {
  return new Date(clock.now().getTime() - silentAfterMs);
}

async function recordStream(
  tx: Tx,
  { clock }: Pick<Context, 'clock'>,
  change: { stream: OpenStream; action: AuditAction },
): Promise<void> {
  const { stream, action } = change;
  await recordAudit(tx, {
    actor: stream.actor,
    action,
    at: clock.now(),
    target: { kind: 'webhook', id: String(stream.webhookId), name: stream.webhookName },
    ...(action === 'webhook.stream_closed' && { changes: { events: stream.sent } }),
  });
}

function unknownCursor(): ServiceError {
  return invalid(
    'cursor',
    'Use the id of an event of a stream. After the database was moved or restored, start without one.',
  );
}
