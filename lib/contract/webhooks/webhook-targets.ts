import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

const webhookTargets = z.object({
  allows_private_addresses: z
    .boolean()
    .describe(
      'Whether the installation allows webhooks to call some networks that are not public.',
    ),
});

export type WebhookTargets = z.infer<typeof webhookTargets>;

export const getWebhookTargets = defineRoute({
  name: 'getWebhookTargets',
  method: 'GET',
  path: '/api/dashboard/webhook-targets',
  summary: 'Which addresses a webhook may have in this installation',
  access: 'person',
  response: { 200: success(webhookTargets) },
});
