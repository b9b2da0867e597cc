import type { z } from 'zod';
import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import { testEventType } from '#lib/contract/events/events.ts';
import type {
  EventOutcome,
  findNearEvents as nearContract,
  listEvents as listContract,
  RecordedEvent,
  RecordedEventWithOutcomes,
} from '#lib/contract/events/recorded-events.ts';
import type { RouteData } from '#lib/contract/route.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { excerptOf } from '../deliveries/describe-delivery.ts';
import { findNamed } from '../deliveries/read-deliveries.ts';
import { notFound } from '../errors.ts';
import { mayReadErrorText, mayReadPayload } from '../events/may-read-payload.ts';
import { readPage, windowOf } from '../read-page.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { judge, type Verdict, type WebhookHistory } from './rules.ts';
import {
  findEventBeside,
  findEventRow,
  findSimilarEvent,
  hasIndexOfType,
  listDeletedWebhooks,
  listDeliveriesOfEvents,
  eventsOf,
  listEventRows,
  listLastAttempts,
  listWebhookChanges,
  listWebhooksByName,
  maxChanges,
  type EventRow,
  type EventSubject,
  type WebhookOfEvent,
} from './store.ts';

type ListQuery = z.output<typeof listContract.query>;

/**
 * A page of the account's events, newest first, or the events since the client last read them.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listEvents(
  ctx: Context,
  actor: Actor,
  query: ListQuery,
): Promise<{ events: RecordedEvent[]; nextCursor: string | null; followCursor?: string }> {
  const { accountId } = actor;
  const { type, outcome, about } = query;
  const subject = about === undefined ? undefined : await findSubject(ctx, actor, about);
  const page = { ...query, list: 'events', all: eventsOf(accountId) } as const;
  const { rows, ...cursors } = await readPage(ctx.db, page, (at, limit) => {
    const filter = { type, outcome, subject, ...windowOf(query) };
    const read = () => listEventRows(ctx.db, accountId, { ...filter, at, limit });
    return mightReadAll(query) ? ctx.heavyReads.run(accountId, read) : read();
  });
  const outcomes = query.with_outcomes === true ? await judgeEvents(ctx, actor, rows) : null;
  const events = rows.map((row) => ({
    ...describeEvent(row, { withData: mayReadPayload(actor, row.type) }),
    ...(outcomes && { webhook_outcomes: outcomes.get(row.id) ?? [] }),
  }));
  return { events, ...cursors };
}

/** Whether a page might need to read all events of the account, if few of them match. */
function mightReadAll({ type, outcome, follow }: ListQuery): boolean {
  return (
    (type !== undefined && !hasIndexOfType(type)) ||
    outcome === 'delivered' ||
    outcome === 'none' ||
    (follow !== undefined && outcome !== undefined)
  );
}

/** The events that an id names in the actor's account. */
async function findSubject(ctx: Context, actor: Actor, about: string): Promise<EventSubject> {
  const named = await findNamed(ctx, actor.accountId, about);
  return {
    eventIds: named.flatMap((one) => ('eventId' in one ? (one.eventId ?? []) : [])),
    conversationIds: named.flatMap((one) => ('conversationId' in one ? one.conversationId : [])),
  };
}

async function judgeEvents(
  ctx: Context,
  { accountId }: Actor,
  events: readonly EventRow[],
): Promise<Map<number, NonNullable<RecordedEvent['webhook_outcomes']>>> {
  // One after the other: each page of a live list would else take several connections.
  const webhooks = await listWebhooksByName(ctx.db, accountId);
  const deliveries = await listDeliveriesOfEvents(ctx.db, accountId, events);
  const histories = await readHistories(ctx, accountId);
  const deliveryOf = new Map(deliveries.map((each) => [`${each.webhookId} ${each.eventId}`, each]));
  const now = ctx.clock.now();
  return new Map(
    events.map((event) => [
      event.id,
      webhooks.flatMap((webhook) => {
        const delivery = deliveryOf.get(`${webhook.id} ${event.id}`) ?? null;
        if (delivery === null && event.type === testEventType) return [];
        const history = histories(webhook.id);
        const { outcome } = judge({ event, webhook, delivery, lastDurationMs: null, history, now });
        return { webhook_id: webhook.id, outcome };
      }),
    ]),
  );
}

/** The changes of the account's webhooks, by the id of the webhook. */
async function readHistories(
  ctx: Context,
  accountId: Actor['accountId'],
): Promise<(webhookId: number) => WebhookHistory> {
  const changes = await listWebhookChanges(ctx.db, accountId);
  const ofWebhook = Map.groupBy(changes, ({ webhookId }) => webhookId);
  const keptSince = new Date(ctx.clock.now().getTime() - ctx.config.auditRetentionDays * dayMs);
  return (webhookId) => {
    const own = ofWebhook.get(webhookId) ?? [];
    const oldest = own.length === maxChanges ? own.at(-1)?.at : undefined;
    return { changes: own, knownSince: oldest && oldest > keptSince ? oldest : keptSince };
  };
}

/** An event of the actor's account. @throws ServiceError NOT_FOUND */
export async function findEvent(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  input: { event: string },
): Promise<EventRow> {
  const reference = parseResourceReference(input.event, largestBigId);
  const event = reference && (await findEventRow(ctx.db, actor.accountId, reference));
  if (!event) throw notFound();
  return event;
}

/** One present webhook, with the event's delivery to it and the verdict. */
export type JudgedWebhook = WebhookOfEvent & {
  verdict: Verdict;
  lastAttempt: Awaited<ReturnType<typeof listLastAttempts>>[number] | null;
};

/**
 * The outcome of an event at each webhook that the account has now, by name. For a test event, only
 * the webhook it was sent to is listed.
 */
export async function judgeEvent(
  ctx: Context,
  actor: Actor,
  event: EventRow,
): Promise<JudgedWebhook[]> {
  const { accountId } = actor;
  const [webhooks, deliveries, histories] = await Promise.all([
    listWebhooksByName(ctx.db, accountId),
    listDeliveriesOfEvents(ctx.db, accountId, [event]),
    readHistories(ctx, accountId),
  ]);
  const attempts = await listLastAttempts(ctx.db, event, deliveries);
  const now = ctx.clock.now();
  return webhooks.flatMap((webhook) => {
    const delivery = deliveries.find(({ webhookId }) => webhookId === webhook.id) ?? null;
    if (delivery === null && event.type === testEventType) return [];
    const lastAttempt = attempts.find(({ webhookId }) => webhookId === webhook.id) ?? null;
    const verdict = judge({
      event,
      webhook,
      delivery,
      lastDurationMs: lastAttempt && lastAttempt.durationMs,
      history: histories(webhook.id),
      now,
    });
    return { webhook, delivery, verdict, lastAttempt };
  });
}

/**
 * One event of the actor's account, with its outcome at each present webhook of the account, and at
 * those that were deleted since.
 * @throws ServiceError NOT_FOUND
 */
export async function getEvent(
  ctx: Context,
  actor: Actor,
  input: { event: string },
): Promise<RecordedEventWithOutcomes> {
  const event = await findEvent(ctx, actor, input);
  const judged = await judgeEvent(ctx, actor, event);
  const deleted =
    event.type === testEventType ? [] : await listDeletedWebhooks(ctx.db, actor.accountId, event);
  const withData = mayReadPayload(actor, event.type);
  const withErrorText = mayReadErrorText(actor, event.type);
  return {
    ...describeEvent(event, { withData }),
    payload: withData ? event.payload : null,
    payload_bytes: Buffer.byteLength(event.payload),
    outcomes: [
      ...judged.map((each) => describeOutcome(each, { withErrorText })),
      ...deleted.map(({ at, uuid, name }) => ({
        webhook: { id: null, uuid, name },
        outcome: 'deleted' as const,
        sentence: `Deleted at ${formatApiTime(at)}. Its deliveries are no longer shown.`,
        at: formatApiTime(at),
        response_excerpt: null,
        next_step: null,
        delivery: null,
      })),
    ],
  };
}

/** An event as it was recorded. Its data is left out unless `withData`. */
function describeEvent(event: EventRow, { withData }: { withData: boolean }): RecordedEvent {
  return {
    id: event.id,
    uuid: event.uuid,
    type: event.type,
    data: withData ? dataOf(event.payload) : null,
    created_at: formatApiTime(event.createdAt),
    conversation_id: event.conversationId,
  };
}

/** The service wrote the payload, so it is an object with `data`. */
function dataOf(payload: string): Record<string, unknown> {
  return (JSON.parse(payload) as { data: Record<string, unknown> }).data;
}

/** The outcome of an event at one webhook, as a code for programs and a sentence for people. */
function describeOutcome(
  { webhook, delivery, verdict, lastAttempt }: JudgedWebhook,
  { withErrorText }: { withErrorText: boolean },
): EventOutcome {
  const { outcome, sentence, at, nextStep } = verdict;
  const isFailure = outcome !== 'delivered' && delivery !== null && delivery.lastError !== null;
  return {
    webhook: { id: webhook.id, uuid: webhook.uuid, name: webhook.name },
    outcome,
    sentence,
    at: at && formatApiTime(at),
    response_excerpt:
      isFailure && withErrorText ? excerptOf(lastAttempt?.responseBody ?? '') : null,
    next_step: nextStep,
    delivery: delivery && {
      id: delivery.id,
      uuid: delivery.uuid,
      attempt_count: delivery.attemptCount,
    },
  };
}

/**
 * What is near an id or a time at which there is no event: the events before and after it, or the
 * message or conversation with this id, if its events are no longer kept.
 */
export async function findNearEvents(
  ctx: Context,
  { accountId }: Actor,
  { about, at }: z.output<typeof nearContract.query>,
): Promise<RouteData<typeof nearContract>> {
  const subject = about === undefined ? null : parseDeliverySubject(about);
  const place =
    at === undefined ? (subject && subject.kind !== 'uuid' ? subject.id : null) : new Date(at);
  const beside = async (side: 'earlier' | 'later') =>
    place === null ? null : describeNear(await findEventBeside(ctx.db, accountId, { place, side }));
  const [earlier, later] = [await beside('earlier'), await beside('later')];
  const uuid = subject?.kind === 'uuid' ? subject.uuid : null;
  const gone = about === undefined ? [] : await findNamed(ctx, accountId, about);
  const [first = null] = gone.flatMap((named) =>
    named.what === 'message' || named.what === 'conversation' ? named : [],
  );
  return {
    gone: first && { what: first.what, created_at: formatApiTime(first.createdAt) },
    similar: uuid === null ? null : describeNear(await findSimilarEvent(ctx.db, accountId, uuid)),
    earlier,
    later,
    retention_days: ctx.config.retentionDays,
  };
}

function describeNear(event: EventRow | null) {
  return (
    event && { uuid: event.uuid, type: event.type, created_at: formatApiTime(event.createdAt) }
  );
}
