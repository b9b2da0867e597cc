import { z } from 'zod';
import { eventKinds, testEventKind } from './event-kinds.ts';
import { id, instant, page, pageQuery, success, timestamp, uuid } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleAttempt, sampleDelivery } from './samples.ts';
import { testWebhookInput } from './test-events.ts';

/** Every kind an event that was sent can have, that of tests included. */
export const sentEventKinds = [...eventKinds, testEventKind] as const;

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const deliveryFields = {
  id,
  uuid,
  webhook_id: id,
  event: z.object({ uuid, type: z.enum(sentEventKinds), created_at: timestamp }),
  status: z
    .enum(deliveryStatuses)
    .describe(
      '`pending`: an attempt is due or will be. `failed`: every attempt of the schedule was made.',
    ),
  attempt_count: z.int().min(0).describe('Attempts made in all.'),
  next_attempt_at: timestamp
    .nullable()
    .describe('Null unless pending. While the webhook is inactive, nothing is sent at that time.'),
  last_status_code: z.int().nullable(),
  last_error: z
    .string()
    .nullable()
    .describe('Why the latest attempt did not succeed; null if it did.'),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
};

/** An event on its way to one webhook. */
export const delivery = z
  .object(deliveryFields)
  .meta({ id: 'Delivery', examples: [sampleDelivery] });

export type Delivery = z.infer<typeof delivery>;

const headers = z.record(z.string(), z.string());

const bodyText = z
  .string()
  .nullable()
  .describe('Null for members of the account who may not read what customers wrote.');

/** One sending of a delivery and what came of it. */
export const attempt = z
  .object({
    id,
    number: z.int().positive(),
    started_at: timestamp,
    duration_ms: z.int().min(0).describe('From its start to its end.'),
    waited_ms: z.int().min(0).describe('How long it stood due before it began.'),
    first_byte_ms: z
      .int()
      .min(0)
      .nullable()
      .describe('From its start to the first byte of the response.'),
    url: z.string(),
    status_code: z.int().nullable(),
    error: z
      .object({ kind: z.string(), message: z.string() })
      .nullable()
      .describe('Why there is no whole response, as `connect_timeout`.'),
    request: z.object({
      headers,
      body: bodyText,
      body_bytes: z.int().min(0),
    }),
    response: z
      .object({
        headers: headers.describe(
          'Those that tell why it came, such as the content type, Retry-After and request ids; never cookies or credentials.',
        ),
        body: bodyText,
        body_bytes: z.int().min(0).describe('Of what is kept.'),
        truncated: z.boolean().describe('Only the first 4 KiB are kept.'),
      })
      .nullable(),
  })
  .meta({ id: 'Attempt', examples: [sampleAttempt] });

export type Attempt = z.infer<typeof attempt>;

export const deliveryWithAttempts = z
  .object({ ...deliveryFields, attempts: z.array(attempt).describe('The latest last.') })
  .meta({
    id: 'DeliveryWithAttempts',
    examples: [{ ...sampleDelivery, attempts: [sampleAttempt] }],
  });

export type DeliveryWithAttempts = z.infer<typeof deliveryWithAttempts>;

const newerThan = z.coerce
  .number({ error: 'Use the id of a delivery.' })
  .int('Use the id of a delivery.')
  .min(0, 'Use the id of a delivery.')
  .max(Number.MAX_SAFE_INTEGER, 'Use the id of a delivery.')
  .describe('Only those newer than the delivery with this id.');

export const listDeliveries = defineRoute({
  name: 'listDeliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}/deliveries',
  summary: 'List the deliveries of a webhook, newest event first',
  description: 'Ask with `after` again and again to see new ones as they come.',
  access: { scope: 'events:read', act: 'events.read' },
  query: z.object({
    status: z
      .enum(deliveryStatuses, { error: `Use one of: ${deliveryStatuses.join(', ')}.` })
      .optional(),
    type: z.enum(sentEventKinds, { error: `Use one of: ${sentEventKinds.join(', ')}.` }).optional(),
    since: instant.optional().describe('Made at this time or later.'),
    until: instant.optional().describe('Made before this time.'),
    after: newerThan.optional(),
    ...pageQuery,
  }),
  reply: { 200: page(delivery) },
});

export const getDelivery = defineRoute({
  name: 'getDelivery',
  method: 'GET',
  path: '/api/v1/deliveries/{delivery}',
  summary: 'Get a delivery with its attempts',
  access: { scope: 'events:read', act: 'events.read' },
  reply: { 200: success(deliveryWithAttempts) },
});

export const retryDelivery = defineRoute({
  name: 'retryDelivery',
  method: 'POST',
  path: '/api/v1/deliveries/{delivery}/retry',
  summary: 'Send a delivery again',
  description:
    'It is due at once. One that was over begins the schedule of retries anew; one that waits for a retry keeps its place in it.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  stateRefusal: { webhook: ['This webhook is inactive. Resume it first.'] },
  reply: { 202: success(delivery) },
});

export const testWebhook = defineRoute({
  name: 'testWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/test',
  summary: 'Send a test event to a webhook',
  description:
    'Signed and sent like any other, before whatever else waits, once and without retries. It counts neither as a failure nor as a success of the webhook. The webhook must be active; 10 tests a minute.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  body: testWebhookInput,
  reply: { 202: success(delivery) },
});
