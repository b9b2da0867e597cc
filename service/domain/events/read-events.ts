import { z } from 'zod';
import { allowUnknownFields } from '#lib/contract/allow-unknown-fields.ts';
import type { EventTypeEntry } from '#lib/contract/events/event-type-catalog.ts';
import { eventDescriptionOf, eventPayloads, testEventType } from '#lib/contract/events/events.ts';
import type {
  EventOutcome,
  listEvents as contract,
  RecordedEvent,
  RecordedEventWithOutcomes,
} from '#lib/contract/events/recorded-events.ts';
import { countOf } from '#lib/count.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { readPage, windowOf } from '../read-page.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { mayReadPayload } from './may-read-payload.ts';
import {
  findEventRow,
  listEventRows,
  listWebhooksOfEvent,
  type EventRow,
  type WebhookOfEvent,
} from './store.ts';

/**
 * A page of the account's events, newest first, or the events since the client last read them.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listEvents(
  ctx: Context,
  actor: Actor,
  query: z.output<typeof contract.query>,
): Promise<{ events: RecordedEvent[]; nextCursor: string | null; followCursor?: string }> {
  const { rows, ...cursors } = await readPage(ctx.db, { ...query, list: 'events' }, (at, limit) => {
    const filter = { type: query.type, ...windowOf(query) };
    const read = () => listEventRows(ctx.db, actor.accountId, { ...filter, at, limit });
    // No index has the type: a page of a rare one may read all events of the account.
    return query.type === undefined ? read() : ctx.heavyReads.run(actor.accountId, read);
  });
  const events = rows.map((row) =>
    describeEvent(row, { withData: mayReadPayload(actor, row.type) }),
  );
  return { events, ...cursors };
}

/**
 * One event of the actor's account, with its result for each present webhook of the account. For a
 * test event, only the webhook it was sent to is listed.
 * @throws ServiceError NOT_FOUND
 */
export async function getEvent(
  ctx: Context,
  actor: Actor,
  input: { event: string },
): Promise<RecordedEventWithOutcomes> {
  const reference = parseResourceReference(input.event, largestBigId);
  const event = reference && (await findEventRow(ctx.db, actor.accountId, reference));
  if (!event) throw notFound();
  const webhooks = await listWebhooksOfEvent(ctx.db, event);
  return {
    ...describeEvent(event, { withData: mayReadPayload(actor, event.type) }),
    outcomes: webhooks
      .filter(({ delivery }) => delivery !== null || event.type !== testEventType)
      .map((webhook) => describeOutcome(event, webhook)),
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

type Webhook = WebhookOfEvent['webhook'];
type Delivery = NonNullable<WebhookOfEvent['delivery']>;
type DescribedEvent = Pick<EventRow, 'type' | 'createdAt' | 'aboutWebhookId'>;
type Verdict = { outcome: EventOutcome['outcome']; sentence: string; at: Date | null };

/** The result of an event for one webhook, as a code for programs and a sentence for people. */
function describeOutcome(
  event: DescribedEvent,
  { webhook, delivery }: WebhookOfEvent,
): EventOutcome {
  const { outcome, sentence, at } = delivery
    ? describeDeliveryOutcome(delivery, webhook)
    : whyNoDelivery(event, webhook);
  return {
    webhook: { id: webhook.id, uuid: webhook.uuid, name: webhook.name },
    outcome,
    sentence,
    at: at && formatApiTime(at),
    delivery: delivery && {
      id: delivery.id,
      uuid: delivery.uuid,
      attempt_count: delivery.attemptCount,
    },
  };
}

function describeDeliveryOutcome(delivery: Delivery, webhook: Webhook): Verdict {
  const { status, attemptCount, dueAt, finishedAt } = delivery;
  switch (status) {
    case 'delivered':
      return { outcome: status, sentence: `Delivered${on(finishedAt)}.`, at: finishedAt };
    case 'failed':
      return { outcome: status, sentence: `Failed after ${times(attemptCount)}.`, at: finishedAt };
    case 'cancelled':
      return { outcome: status, sentence: `Cancelled${on(finishedAt)}.`, at: finishedAt };
    case 'pending': {
      if (!webhook.isActive) {
        const since = webhook.inactiveSince;
        const sentence = `Waits until the webhook is resumed: ${inactivity(webhook)}.`;
        return { outcome: status, sentence, at: since };
      }
      const sentence =
        attemptCount === 0
          ? `First attempt${on(dueAt)}.`
          : `Next attempt${on(dueAt)}, after ${times(attemptCount)}.`;
      return { outcome: status, sentence, at: dueAt };
    }
  }
}

function whyNoDelivery(event: DescribedEvent, webhook: Webhook): Verdict {
  const { createdAt, events, isActive, inactiveSince } = webhook;
  if (event.aboutWebhookId === webhook.id) {
    const sentence = 'The event is about this webhook, and is sent to others only.';
    return { outcome: 'about_itself', sentence, at: null };
  }
  if (createdAt > event.createdAt) {
    return {
      outcome: 'created_later',
      sentence: 'The webhook was created after the event.',
      at: createdAt,
    };
  }
  if (!events.some((type) => type === event.type)) {
    return { outcome: 'not_subscribed', sentence: `Not subscribed to ${event.type}.`, at: null };
  }
  if (!isActive && inactiveSince !== null && inactiveSince <= event.createdAt) {
    const sentence = `${capitalised(inactivity(webhook))}.`;
    return { outcome: 'inactive', sentence, at: inactiveSince };
  }
  return {
    outcome: 'not_made',
    sentence: 'The webhook was inactive, or not subscribed, when the event happened.',
    at: null,
  };
}

function inactivity({ inactiveReason, inactiveSince }: Webhook): string {
  const since = inactiveSince ? ` since ${formatApiTime(inactiveSince)}` : '';
  if (inactiveReason === 'setup') return `being set up${since}`;
  return `${inactiveReason === 'paused' ? 'paused' : 'deactivated'}${since}`;
}

function on(moment: Date | null): string {
  return moment ? ` at ${formatApiTime(moment)}` : '';
}

function times(attempts: number): string {
  return countOf(attempts, 'attempt');
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** The catalog of event types: what each means, the schema of its payload, and a sample of it. */
export const eventTypeCatalog: readonly EventTypeEntry[] = [...eventPayloads].map(
  ([type, payload]) => ({
    type,
    description: eventDescriptionOf(type),
    schema: z.toJSONSchema(payload, {
      override: ({ jsonSchema }) => allowUnknownFields(jsonSchema),
    }) as Record<string, unknown>,
    sample: sampleOf(payload),
  }),
);

function sampleOf(payload: z.ZodType): Record<string, unknown> {
  const examples: unknown = z.globalRegistry.get(payload)?.examples;
  return payload.parse(Array.isArray(examples) ? examples[0] : undefined) as Record<
    string,
    unknown
  >;
}
