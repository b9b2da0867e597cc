import { z } from 'zod';
import { attemptErrors } from './attempt-errors.ts';
import { eventTypes, testEventType } from '../events/events.ts';
import {
  id,
  identifiers,
  page,
  pageQuery,
  queryInteger,
  success,
  timestamp,
  uuid,
  noFields,
} from '../fields/fields.ts';
import { queryInstant } from '../fields/instants.ts';
import { rawText } from '../fields/bounded-text.ts';
import { defineRoute } from '../route.ts';
import { parseDeliverySubject } from './delivery-subject.ts';
import { sampleAttempt, sampleDelivery, sampleTestDelivery } from '../samples.ts';
import { testWebhookInput } from '../events/test-events.ts';

/** Every type that a sent event can have, `webhook.test` included. */
export const sentEventTypes = [...eventTypes, testEventType] as const;

const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const deliveryFields = {
  ...identifiers('the delivery'),
  webhook_id: id.describe('Integer id of the webhook it is for.'),
  event: z
    .object({
      uuid: uuid.describe(
        'UUID of the event. The `webhook-id` of every attempt is `msg_` followed by this UUID.',
      ),
      type: z.enum(sentEventTypes).describe('The event type.'),
      created_at: timestamp.describe('When the event happened.'),
    })
    .describe('The event that is delivered.'),
  status: z
    .enum(deliveryStatuses)
    .describe(
      '`pending`: another attempt will be made. `delivered`: the receiver responded with 2xx. `failed`: every attempt of the schedule failed. `cancelled`: no more attempts are made, because its webhook or replay ended or its backlog was skipped.',
    ),
  attempt_count: z.int().min(0).describe('How many attempts were made in all.'),
  next_attempt_at: timestamp
    .nullable()
    .describe(
      'When the next attempt is due; null unless pending. Nothing is sent while the webhook is inactive.',
    ),
  last_attempt_at: timestamp
    .nullable()
    .describe('When the latest attempt began; null if there was none.'),
  last_duration_ms: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'Milliseconds from the start of the latest attempt to its end; null if there was none.',
    ),
  last_status_code: z
    .int()
    .nullable()
    .describe('HTTP status of the latest response; null if there was none.'),
  last_error: z
    .string()
    .nullable()
    .describe('Why the latest attempt did not succeed; null if it did, or if there was none.'),
  created_at: timestamp.describe('When the delivery was made.'),
  finished_at: timestamp
    .nullable()
    .describe('When it was delivered, failed or cancelled; null while it is pending.'),
};

/** An event on its way to one webhook. */
export const delivery = z.object(deliveryFields).meta({
  id: 'Delivery',
  description: 'One event on its way to one webhook.',
  examples: [sampleDelivery],
});

export type Delivery = z.infer<typeof delivery>;

const headers = z.record(z.string(), z.string());

const bodyText = z
  .string()
  .nullable()
  .describe(
    'The body as text; null for members of the account who may not read what customers wrote, and for keys that lack the scope that subscribing to the event type needs.',
  );

const attemptOutcome = {
  status_code: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
  error: z
    .object({
      kind: z
        .string()
        .describe(`The kind of error:\n${listAttemptErrors()}\n\nMore kinds may be added.`),
      message: z.string().describe('The same in words.'),
    })
    .nullable()
    .describe('Why there is no complete response; null if there is one.'),
};

/** When an attempt began, how long it took and what it got. */
export const attemptSummary = z.object({
  started_at: timestamp.describe('When it began.'),
  duration_ms: z.int().min(0).describe('Milliseconds from its start to its end.'),
  ...attemptOutcome,
  body_excerpt: z
    .string()
    .nullable()
    .describe(
      'The first 200 characters of the body of the response, with each run of white space as one space; null if there is none, and for keys and members of the account that may not read the event.',
    ),
});

export type AttemptSummary = z.infer<typeof attemptSummary>;

/** One attempt to send a delivery, and its result. */
export const attempt = z
  .object({
    id: id.describe('Integer id of the attempt.'),
    number: z.int().positive().describe('Which attempt of the delivery it is, from 1.'),
    started_at: timestamp.describe('When it began.'),
    duration_ms: z.int().min(0).describe('Milliseconds from its start to its end.'),
    waited_ms: z.int().min(0).describe('Milliseconds it was due before it began.'),
    first_byte_ms: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Milliseconds from its start to the first byte of the response; null if there was none.',
      ),
    url: z.string().describe('Where it was sent.'),
    ...attemptOutcome,
    request: z
      .object({
        headers: headers.describe('The headers that were sent.'),
        body: bodyText,
        body_bytes: z.int().min(0).describe('Size of the body in bytes.'),
      })
      .describe('What was sent.'),
    response: z
      .object({
        headers: headers.describe(
          'Headers that help to explain the response, such as the content type, `Retry-After` and request ids; never cookies or credentials.',
        ),
        body: bodyText,
        body_bytes: z.int().min(0).describe('Size in bytes of what is kept of the body.'),
        truncated: z
          .boolean()
          .describe('Whether the body was longer than the 4 KiB that are kept of it.'),
      })
      .nullable()
      .describe('What the receiver sent back; null if there was no response.'),
  })
  .meta({
    id: 'Attempt',
    description: 'One attempt to send a delivery and what came of it.',
    examples: [sampleAttempt],
  });

export type Attempt = z.infer<typeof attempt>;

export const deliveryWithAttempts = z
  .object({
    ...deliveryFields,
    attempts: z.array(attempt).describe('Its attempts, the latest last.'),
  })
  .meta({
    id: 'DeliveryWithAttempts',
    description: 'A delivery with every attempt to send it.',
    examples: [{ ...sampleDelivery, attempts: [sampleAttempt] }],
  });

export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;

const newerThan = queryInteger(
  z
    .int('Use the id of a delivery.')
    .min(0, 'Use the id of a delivery.')
    .max(Number.MAX_SAFE_INTEGER, 'Use the id of a delivery.'),
).describe(
  'Lists only deliveries made after the one with this integer id, the newest delivery first.',
);

const subjectAdvice =
  'Use a webhook-id, the UUID of an event, a delivery, a message or a conversation, or the integer id of a conversation.';

const deliverySubject = rawText(40)
  .refine((text) => parseDeliverySubject(text) !== null, subjectAdvice)
  .describe(
    'Lists only deliveries of what this names: an event, by its UUID, by the `webhook-id` of its deliveries or by the UUID of one of them, or for `message.created` by the UUID of the message; or a conversation, by its UUID or integer id. If there is no such thing, the list is empty.',
  );

const codeAdvice = 'Use a status from 300 to 599.';

/** Excludes 2xx, which nearly all deliveries have: no index contains them. */
const responseCode = queryInteger(
  z.int(codeAdvice).min(300, `${codeAdvice} For 2xx, use status=delivered.`).max(599, codeAdvice),
).describe(
  'Lists only deliveries whose latest response had this HTTP status, 300 to 599. Those with 2xx are listed with `status=delivered`.',
);

export const listDeliveries = defineRoute({
  name: 'listDeliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}/deliveries',
  summary: 'List the deliveries of a webhook, newest event first',
  description:
    'To follow new deliveries as they come, repeat the request with `after` and the highest `id` so far. The list then also has deliveries of older events, such as those that a replay makes, and its order is that of the deliveries. A retry changes a delivery and does not make a new one.',
  access: { scope: 'events:read', act: 'events.read' },
  query: z.object({
    status: z
      .enum(deliveryStatuses, { error: `Use one of: ${deliveryStatuses.join(', ')}.` })
      .optional()
      .describe('Lists only deliveries with this status.'),
    retried: z
      .enum(['true', 'false'], { error: 'Use true or false.' })
      .transform((text) => text === 'true')
      .optional()
      .describe(
        '`true`: lists only deliveries that had a failed attempt and were delivered since, or will be tried again. `false`: only the others.',
      ),
    type: z
      .enum(sentEventTypes, { error: `Use one of: ${sentEventTypes.join(', ')}.` })
      .optional()
      .describe('Lists only deliveries of events of this type.'),
    about: deliverySubject.optional(),
    status_code: responseCode.optional(),
    since: queryInstant.optional().describe('Lists only deliveries made at this time or later.'),
    until: queryInstant.optional().describe('Lists only deliveries made before this time.'),
    after: newerThan.optional(),
    ...pageQuery,
  }),
  response: { 200: page(delivery) },
});

export const getDelivery = defineRoute({
  name: 'getDelivery',
  method: 'GET',
  path: '/api/v1/deliveries/{delivery}',
  summary: 'Get a delivery with its attempts',
  access: { scope: 'events:read', act: 'events.read' },
  response: { 200: success(deliveryWithAttempts) },
});

export const retryDelivery = defineRoute({
  name: 'retryDelivery',
  method: 'POST',
  path: '/api/v1/deliveries/{delivery}/retry',
  summary: 'Send a delivery again',
  description:
    'The next attempt is due at once. If an attempt is in progress, the next one follows unless that one succeeds. A finished delivery starts the schedule of retries again; a delivery that waits for a retry keeps its place in the schedule. If the webhook no longer subscribes to the type of the event, and the type begins with `api_key.`, a key needs `api-keys:read`.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  body: noFields,
  stateRefusal: { webhook: ['This webhook is inactive. Resume it first.'] },
  response: { 202: success(delivery) },
});

export const testWebhook = defineRoute({
  name: 'testWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/test',
  summary: 'Send a test event to a webhook',
  description:
    'The event is signed and sent like any other, ahead of pending deliveries, once and without retries. It counts neither as a failure nor as a success of the webhook. The webhook must be active. At most 10 tests a minute. With a `type` other than `webhook.test`, the body has that type, so the receiver cannot tell it from a real event; in deliveries and events of this API, the type of every test is `webhook.test`.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  body: testWebhookInput,
  response: { 202: success(delivery, sampleTestDelivery) },
});

function listAttemptErrors(): string {
  return Object.entries(attemptErrors)
    .map(([kind, { meaning }]) => `- \`${kind}\`: ${meaning}`)
    .join('\n');
}
