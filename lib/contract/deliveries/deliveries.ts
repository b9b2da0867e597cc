import { z } from 'zod';
import { testWebhookInput } from '../events/test-events.ts';
import { boundedText } from '../fields/bounded-text.ts';
import {
  followedPage,
  followedPageQuery,
  noFields,
  queryInteger,
  success,
} from '../fields/fields.ts';
import { queryInstant } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';
import { sampleTestDelivery } from '../samples.ts';
import { longestSubject, parseDeliverySubject } from './delivery-subject.ts';
import { delivery, deliveryStatuses, deliveryWithAttempts, sentEventTypes } from './delivery.ts';

const subjectAdvice =
  'Use a webhook-id, the UUID of an event, a delivery, a message or a conversation, or the integer id of a conversation.';

const deliverySubject = boundedText(longestSubject)
  .refine((text) => parseDeliverySubject(text) !== null, subjectAdvice)
  .describe(
    'Lists only deliveries of one event or conversation. Identify an event by its UUID, by the `webhook-id` of its deliveries, by the UUID of one of them, or for `message.created` by the UUID of the message; identify a conversation by its UUID or integer id. If nothing matches, the list is empty.',
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
  summary: 'List the deliveries of a webhook, newest first',
  description:
    'To get new deliveries as they are created, use `follow`. A retry changes a delivery and does not make a new one.',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  query: followedPageQuery({
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
    replayed: z
      .enum(['true', 'false'], { error: 'Use true or false.' })
      .transform((text) => text === 'true')
      .optional()
      .describe('`true`: lists only deliveries that a replay sent last. `false`: only the others.'),
    type: z
      .enum(sentEventTypes, { error: `Use one of: ${sentEventTypes.join(', ')}.` })
      .optional()
      .describe('Lists only deliveries of events of this type.'),
    about: deliverySubject.optional(),
    status_code: responseCode.optional(),
    since: queryInstant.optional().describe('Lists only deliveries created at this time or later.'),
    until: queryInstant.optional().describe('Lists only deliveries created before this time.'),
  }),
  response: { 200: followedPage(delivery) },
});

export const getDelivery = defineRoute({
  name: 'getDelivery',
  method: 'GET',
  path: '/api/v1/deliveries/{delivery}',
  summary: 'Get a delivery with its attempts',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  response: { 200: success(deliveryWithAttempts) },
});

export const retryDelivery = defineRoute({
  name: 'retryDelivery',
  method: 'POST',
  path: '/api/v1/deliveries/{delivery}/retry',
  summary: 'Send a delivery again',
  description:
    'The attempt is due immediately. If another one is in progress, it follows unless that one succeeds. It is extra: the schedule of a delivery that waits for a retry continues unchanged, and a failure does not count toward the deactivation of the webhook. A finished delivery starts the schedule again. A delivery can be retried once a minute. If the webhook no longer subscribes to the type of the event, and the type begins with `api_key.`, a key needs `api-keys:read`.',
  access: { scope: 'webhooks:manage', act: 'webhooks.replay' },
  inDashboard: true,
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
    'The event is signed and sent like any other, ahead of pending deliveries, once and without retries. It counts neither as a failure nor as a success of the webhook. A paused or deactivated webhook is sent tests too, and nothing else; only if its set-up is incomplete, the response is 422. At most 10 tests a minute. The body of every test has `"test": true`, and its `webhook-id` begins with `msg_test_`. With a `type` other than `webhook.test`, the body has that type; in deliveries and events of this API, the type of every test is `webhook.test`. A token in its grace period can send neither another type nor `data`.',
  access: { scope: 'webhooks:manage', act: 'webhooks.test' },
  inDashboard: true,
  needsProof: { fields: ['type', 'data'] },
  body: testWebhookInput,
  response: { 202: success(delivery, sampleTestDelivery) },
});
