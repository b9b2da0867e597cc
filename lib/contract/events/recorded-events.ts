import { z } from 'zod';
import { longestSubject, parseDeliverySubject } from '../deliveries/delivery-subject.ts';
import { delivery, sentEventTypes } from '../deliveries/delivery.ts';
import { boundedText } from '../fields/bounded-text.ts';
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
import { keysOf } from '#lib/object-keys.ts';
import { sampleEvent, sampleEventPayload, sampleOutcome } from '../samples.ts';

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

/** The outcomes of an event, most urgent first. From `filtered_out` on: no delivery. */
export const eventOutcomes = {
  failed: 'every attempt failed',
  retrying: 'an attempt failed, and another one follows',
  on_hold: 'the delivery waits until the webhook is resumed',
  pending: 'the delivery waits for its first attempt, or is being sent',
  delivered: 'the receiver responded with 2xx',
  cancelled: 'the delivery was cancelled, with its replay or because the backlog was skipped',
  filtered_out: 'the filter of the webhook left it out',
  not_subscribed: 'the webhook does not subscribe to this type, or did not at the time',
  paused: 'the webhook was paused at the time',
  deactivated: 'the webhook was deactivated at the time',
  set_up: 'the webhook was not activated yet',
  created_later: 'the webhook is newer than the event',
  about_itself: 'the event is about this webhook, and is sent to others only',
  deleted: 'the webhook was deleted after the event, and its deliveries with it',
  not_made: 'no delivery was made, and the reason is not recorded',
} as const satisfies Record<string, string>;

export type Outcome = keyof typeof eventOutcomes;

const outcome = z.enum(keysOf(eventOutcomes)).describe(
  `The outcome of the event:\n${Object.entries(eventOutcomes)
    .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
    .join('\n')}\n\nMore outcomes may be added.`,
);

/** What happened, as it was recorded. */
export const recordedEvent = z
  .object({
    ...eventFields,
    webhook_outcomes: z
      .array(z.object({ webhook_id: id.describe('Integer id of the webhook.'), outcome }))
      .optional()
      .describe(
        'The outcome at each webhook that the account has; for a test, only at the webhook it was sent to. Only with `with_outcomes=true`.',
      ),
  })
  .meta({
    id: 'RecordedEvent',
    description: 'Something that happened, as it was recorded.',
    examples: [sampleEvent],
  });

export type RecordedEvent = z.infer<typeof recordedEvent>;

/**
 * What a person can do next. `retry`: send its delivery now. `send`: send the event.
 * `subscribe_and_send`: the same, after subscribing. `resume`: resume or activate the webhook.
 */
const nextSteps = ['open_delivery', 'retry', 'send', 'subscribe_and_send', 'resume'] as const;

/** The outcome of an event at one webhook. */
export const eventOutcome = z
  .object({
    webhook: z
      .object({
        id: id.nullable().describe('Integer id of the webhook; null once it is deleted.'),
        uuid: uuid.describe('UUID of the webhook.'),
        name: z.string().describe('Its name.'),
      })
      .describe('The webhook.'),
    outcome,
    sentence: z.string().describe('The same, in words.'),
    at: timestamp
      .nullable()
      .describe(
        'The first time in `sentence`: when it was delivered or ended, when the next attempt is due, or since when the webhook was inactive; null if it names none.',
      ),
    response_excerpt: z
      .string()
      .nullable()
      .describe(
        'The beginning of what the receiver wrote in its latest response, if that was not a success; null if there is none, and for keys and members of the account that may not read what receivers wrote.',
      ),
    next_step: z
      .enum(nextSteps)
      .nullable()
      .describe(
        'What can be done next. `open_delivery`: see the delivery, nothing is left to do. `retry`: send the delivery again with `retryDelivery`. `send`: send the event with `sendEvent`. `subscribe_and_send`: the same with `subscribe`. `resume`: resume or activate the webhook first. Null if it cannot be sent.',
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
    payload: z
      .string()
      .nullable()
      .describe('The body of its deliveries, as it is signed and sent; null where `data` is null.'),
    payload_bytes: z.int().min(0).describe('Size of this body in bytes.'),
    outcomes: z
      .array(eventOutcome)
      .describe(
        'The outcome at each webhook of the account, by name, and at webhooks that were deleted after the event.',
      ),
  })
  .meta({
    id: 'RecordedEventWithOutcomes',
    description: 'An event with its outcome at each webhook.',
    examples: [
      {
        ...sampleEvent,
        payload: sampleEventPayload,
        payload_bytes: sampleEventPayload.length,
        outcomes: [sampleOutcome],
      },
    ],
  });

export type RecordedEventWithOutcomes = z.infer<typeof recordedEventWithOutcomes>;

/** The outcomes by which events can be listed. */
export const listedOutcomes = ['failed', 'pending', 'cancelled', 'delivered', 'none'] as const;

const eventSubject = boundedText(longestSubject)
  .refine(
    (text) => parseDeliverySubject(text) !== null,
    'Use a webhook-id, or the UUID or integer id of an event, a delivery, a message or a conversation.',
  )
  .describe(
    'Lists only events that this id names: a `webhook-id`, or the UUID or integer id of an event, a delivery, a message or a conversation. An integer can name several of these. If nothing matches, the list is empty.',
  );

export const listEvents = defineRoute({
  name: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List events, newest first',
  description:
    'The list includes test events, as `webhook.test`. Events are kept for 30 days, unless the operator chose otherwise.',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  query: followedPageQuery({
    type: z
      .enum(sentEventTypes, { error: `Use one of: ${sentEventTypes.join(', ')}.` })
      .optional()
      .describe('Lists only events of this type.'),
    outcome: z
      .enum(listedOutcomes, { error: `Use one of: ${listedOutcomes.join(', ')}.` })
      .optional()
      .describe(
        'Lists only events with a delivery of this status to at least one webhook. `none`: those without any delivery.',
      ),
    about: eventSubject.optional(),
    since: queryInstant.optional().describe('Lists only events from this time or later.'),
    until: queryInstant.optional().describe('Lists only events from before this time.'),
    with_outcomes: z
      .enum(['true', 'false'], { error: 'Use true or false.' })
      .transform((text) => text === 'true')
      .optional()
      .describe('If `true`, each event has `webhook_outcomes`.'),
  }),
  response: { 200: followedPage(recordedEvent) },
});

export const getEvent = defineRoute({
  name: 'getEvent',
  method: 'GET',
  path: '/api/v1/events/{event}',
  summary: 'Get an event and its outcome at each webhook',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  response: { 200: success(recordedEventWithOutcomes) },
});

const webhookIds = 'Use integer ids of 1 to 100 webhooks.';

export const sendEventInput = z
  .strictObject({
    webhooks: z
      .array(z.int({ error: webhookIds }).positive(webhookIds), { error: webhookIds })
      .min(1, webhookIds)
      .max(100, webhookIds)
      .optional()
      .describe(
        'Integer ids of the webhooks to send it to. Default: every webhook that missed it, which are those with the `next_step` `send`, except where the `outcome` is `filtered_out`.',
      ),
    subscribe: z
      .boolean({ error: 'Use true or false.' })
      .default(false)
      .describe(
        'If true, the webhooks are subscribed to the type of the event first. This needs the right to change webhooks. Default: false.',
      ),
  })
  .meta({
    id: 'SendEventInput',
    description: 'Where to send an event.',
    examples: [{ webhooks: [sampleOutcome.webhook.id] }],
  });

export const sendEvent = defineRoute({
  name: 'sendEvent',
  method: 'POST',
  path: '/api/v1/events/{event}/send',
  summary: 'Send an event to webhooks that missed it',
  description:
    'Sends one event again with the same `webhook-id`, where a replay would send all of a time window. A webhook that has a delivery of it gets that delivery again, with its schedule from the start, at most once a minute. The webhooks must be active, and subscribe to its type. An event about a webhook is not sent to that webhook, and a test is not sent again.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  inDashboard: true,
  body: sendEventInput,
  response: { 202: success(z.array(delivery)) },
});

const nearEvent = z
  .object({ uuid: eventFields.uuid, type: eventFields.type, created_at: eventFields.created_at })
  .nullable();

export const findNearEvents = defineRoute({
  name: 'findNearEvents',
  method: 'GET',
  path: '/api/dashboard/near-events',
  summary: 'Explain why no event was found by an id or at a time',
  access: { scope: null, act: 'events.read' },
  query: z
    .strictObject({
      about: eventSubject.optional(),
      at: queryInstant.optional().describe('The time that was looked for.'),
    })
    .refine(({ about, at }) => (about === undefined) !== (at === undefined), {
      path: ['about'],
      error: 'Use either about or at.',
    }),
  response: {
    200: success(
      z.object({
        gone: z
          .object({
            what: z.enum(['message', 'conversation']),
            created_at: timestamp.describe('When it was written or opened.'),
          })
          .nullable()
          .describe('What has the id, if its events are no longer kept.'),
        similar: nearEvent.describe('An event whose UUID differs only at its end.'),
        earlier: nearEvent.describe('The event before the given time or integer id.'),
        later: nearEvent.describe('The event after the given time or integer id.'),
        retention_days: z.int().positive().describe('For how many days events are kept.'),
      }),
      {
        gone: null,
        similar: null,
        earlier: {
          uuid: sampleEvent.uuid,
          type: sampleEvent.type,
          created_at: sampleEvent.created_at,
        },
        later: null,
        retention_days: 30,
      },
    ),
  },
});
