import { z } from 'zod';
import { success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

/** What resuming a webhook with `backlog: deliver` would send. */
export const webhookBacklog = z
  .object({
    count: z.int().min(0).describe('How many events would be sent; 0 if the webhook is active.'),
    failed: z
      .int()
      .min(0)
      .describe(
        'How many of them were given up since the webhook began to fail, such as the event that got a 410. The others happened while it was inactive.',
      ),
    since: timestamp
      .nullable()
      .describe(
        'When the first of those that were given up happened, or else when the webhook became inactive; null if it is active.',
      ),
  })
  .meta({
    id: 'WebhookBacklog',
    description: 'The events that an inactive webhook missed.',
    examples: [{ count: 12, failed: 1, since: '2026-11-20T10:29:17.123+00:00' }],
  });

export type WebhookBacklog = z.infer<typeof webhookBacklog>;

export const getWebhookBacklog = defineRoute({
  name: 'getWebhookBacklog',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}/backlog',
  summary: 'Count the events that an inactive webhook missed',
  access: { scope: 'webhooks:manage', act: 'webhooks.update' },
  inDashboard: true,
  response: { 200: success(webhookBacklog) },
});
