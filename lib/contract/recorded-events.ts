import { z } from 'zod';
import { sentEventKinds } from './deliveries.ts';
import { id, page, pageQuery, success, timestamp, uuid } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleEvent, sampleOutcome } from './samples.ts';

const eventFields = {
  id,
  uuid: uuid.describe('`webhook-id` is `msg_` and this.'),
  type: z.enum(sentEventKinds),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'What the event is about, as its kind describes. Null for members of the account who may not read what customers wrote.',
    ),
  created_at: timestamp,
  conversation_id: id.nullable(),
};

/** What happened, as it was recorded. */
export const recordedEvent = z
  .object(eventFields)
  .meta({ id: 'RecordedEvent', examples: [sampleEvent] });

export type RecordedEvent = z.infer<typeof recordedEvent>;

/** What became of an event at one webhook. */
export const eventOutcome = z
  .object({
    webhook: z.object({ id, uuid, name: z.string() }),
    outcome: z
      .enum([
        'delivered',
        'pending',
        'failed',
        'cancelled',
        'not_subscribed',
        'inactive',
        'created_later',
        'not_made',
      ])
      .describe(
        'The status of its delivery; without one, why there is none. `inactive`: the webhook is, and was then. `not_made`: it was inactive, or not subscribed, at the time.',
      ),
    sentence: z.string().describe('The same in words.'),
    at: timestamp
      .nullable()
      .describe(
        'The time the sentence names: of the delivery, the end, the next attempt, or since when the webhook is inactive.',
      ),
    delivery: z.object({ id, uuid, attempt_count: z.int().min(0) }).nullable(),
  })
  .meta({ id: 'EventOutcome', examples: [sampleOutcome] });

export type EventOutcome = z.infer<typeof eventOutcome>;

export const recordedEventWithOutcomes = z
  .object({ ...eventFields, outcomes: z.array(eventOutcome) })
  .meta({
    id: 'RecordedEventWithOutcomes',
    examples: [{ ...sampleEvent, outcomes: [sampleOutcome] }],
  });

export type RecordedEventWithOutcomes = z.infer<typeof recordedEventWithOutcomes>;

export const listEvents = defineRoute({
  name: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List what happened, newest first',
  description: 'Test events are among them, as `webhook.test`.',
  access: { scope: 'events:read', act: 'events.read' },
  query: z.object(pageQuery),
  reply: { 200: page(recordedEvent) },
});

export const getEvent = defineRoute({
  name: 'getEvent',
  method: 'GET',
  path: '/api/v1/events/{event}',
  summary: 'Get an event and what became of it at each webhook',
  access: { scope: 'events:read', act: 'events.read' },
  reply: { 200: success(recordedEventWithOutcomes) },
});
