import { z } from 'zod';
import { sentEventTypes } from '../deliveries/delivery.ts';
import {
  followedPage,
  followedPageQuery,
  id,
  identifiers,
  success,
  timestamp,
  uuid,
} from '../fields/fields.ts';
import { queryInstant } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';
import { sampleEvent, sampleOutcome } from '../samples.ts';

const eventFields = {
  id: id.describe('Integer id of the event.'),
  uuid: uuid.describe(
    'UUID of the event. The `webhook-id` of its deliveries is `msg_`, or for a test `msg_test_`, followed by this UUID.',
  ),
  type: z
    .enum(sentEventTypes)
    .describe(
      'The event type. A test has `webhook.test` here, also if the body that is sent has another type.',
    ),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe(
      'What the event is about, as the schema of its type describes it, or for a test the schema of the type that was sent; null for members of the account who may not read what customers wrote, and for keys that lack the scope that subscribing to its type needs.',
    ),
  created_at: timestamp.describe('When the event happened.'),
  conversation_id: id
    .nullable()
    .describe(
      'Integer id of the conversation it is about; null for a test, and for events about keys and webhooks.',
    ),
};

/** What happened, as it was recorded. */
export const recordedEvent = z.object(eventFields).meta({
  id: 'RecordedEvent',
  description: 'Something that happened, as it was recorded.',
  examples: [sampleEvent],
});

export type RecordedEvent = z.infer<typeof recordedEvent>;

/** The outcome of an event at one webhook. */
export const eventOutcome = z
  .object({
    webhook: z
      .object({ ...identifiers('the webhook'), name: z.string().describe('Its name.') })
      .describe('The webhook.'),
    outcome: z
      .enum([
        'delivered',
        'pending',
        'failed',
        'cancelled',
        'not_subscribed',
        'inactive',
        'created_later',
        'about_itself',
        'not_made',
      ])
      .describe(
        'The status of the delivery, or why there is none. `not_subscribed`: the webhook does not subscribe to this type. `inactive`: the webhook is inactive and was so at the time. `created_later`: the webhook is newer than the event. `about_itself`: the event is about this webhook, and is sent to others only. `not_made`: the webhook was inactive or not subscribed at the time.',
      ),
    sentence: z.string().describe('The same, in words.'),
    at: timestamp
      .nullable()
      .describe(
        'The time that `sentence` names: when it was delivered or ended, when the next attempt is due, or since when the webhook is inactive; null if it names none.',
      ),
    delivery: z
      .object({
        ...identifiers('the delivery'),
        attempt_count: z.int().min(0).describe('How many attempts were made.'),
      })
      .nullable()
      .describe('The delivery to this webhook; null if there is none.'),
  })
  .meta({
    id: 'EventOutcome',
    description: 'The outcome of an event at one webhook.',
    examples: [sampleOutcome],
  });

export type EventOutcome = z.infer<typeof eventOutcome>;

export const recordedEventWithOutcomes = z
  .object({
    ...eventFields,
    outcomes: z.array(eventOutcome).describe('The outcome for each webhook of the account.'),
  })
  .meta({
    id: 'RecordedEventWithOutcomes',
    description: 'An event with its outcome at each webhook.',
    examples: [{ ...sampleEvent, outcomes: [sampleOutcome] }],
  });

export type RecordedEventWithOutcomes = z.infer<typeof recordedEventWithOutcomes>;

export const listEvents = defineRoute({
  name: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List events, newest first',
  description:
    'The list includes test events, as `webhook.test`. Events are kept for 30 days, unless the operator chose otherwise.',
  access: { scope: 'events:read', act: 'events.read' },
  query: followedPageQuery({
    type: z
      .enum(sentEventTypes, { error: `Use one of: ${sentEventTypes.join(', ')}.` })
      .optional()
      .describe('Lists only events of this type.'),
    since: queryInstant.optional().describe('Lists only events from this time or later.'),
    until: queryInstant.optional().describe('Lists only events from before this time.'),
  }),
  response: { 200: followedPage(recordedEvent) },
});

export const getEvent = defineRoute({
  name: 'getEvent',
  method: 'GET',
  path: '/api/v1/events/{event}',
  summary: 'Get an event and its outcome at each webhook',
  access: { scope: 'events:read', act: 'events.read' },
  response: { 200: success(recordedEventWithOutcomes) },
});
