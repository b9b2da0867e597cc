import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';
import { defineRoute } from '../route.ts';
import {
  sampleNewSecret,
  sampleNewWebhook,
  samplePausedWebhook,
  sampleWebhookItem,
} from '../samples.ts';
import {
  createWebhookDraft,
  createWebhookInput,
  regenerateSecretInput,
  updateWebhookDraft,
  updateWebhookInput,
} from './webhook-inputs.ts';
import { webhook, webhookItem } from './webhook.ts';

const newSecret = z
  .object({
    secret: secret(
      z
        .string()
        .regex(/^whsec_/)
        .describe('The new secret. No other response contains it: save it now.'),
    ),
    message: z
      .string()
      .describe('States until when the old secret signs, and whether it was ever shown to anyone.'),
  })
  .meta({
    id: 'NewSecret',
    description: 'The signing secret that was just created.',
    examples: [sampleNewSecret],
  });

export const listWebhooks = defineRoute({
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List webhooks',
  description:
    'Returns all webhooks of the account in one response, without pages. A key with `webhooks:manage` may list them too, since that scope includes `webhooks:read`.',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  inDashboard: true,
  // Unknown parameters are ignored here alone: the specification lists no 422 for this operation.
  query: z.object({
    include: z
      .enum(['state'], { error: 'Use include=state, or omit it.' })
      .optional()
      .describe(
        '`state` adds to each item the fields that a single webhook has. Without it, items have the nine fields of `WebhookItem`.',
      ),
  }),
  response: {
    200: success(z.array(z.union([webhook, webhookItem]).meta({ examples: [sampleWebhookItem] }))),
  },
});

export const createWebhook = defineRoute({
  name: 'createWebhook',
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Create a webhook',
  description:
    'Its deliveries are signed from the first one on, with a secret that is created now and not shown to anyone: `secret.was_shown` is false. To get a secret with which you can verify signatures, call regenerate-secret. To receive nothing before your server knows the secret, create the webhook with `is_active: false`, regenerate the secret, and then activate the webhook. Unless the operator chose otherwise, an account can have 100 webhooks, a key or person may create 60 keys and webhooks an hour, and an account 300.',
  access: { scope: 'webhooks:manage', act: 'webhooks.create' },
  inDashboard: true,
  needsProof: true,
  isCreationLimited: true,
  body: createWebhookInput,
  bodyDraft: createWebhookDraft,
  onRepeat: 'same-response',
  response: { 201: success(webhook, sampleNewWebhook) },
});

export const getWebhook = defineRoute({
  name: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Get a webhook',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  inDashboard: true,
  response: { 200: success(webhook) },
});

export const updateWebhook = defineRoute({
  name: 'updateWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Change a webhook',
  description:
    'No events are sent to an inactive webhook: pending deliveries wait, and no deliveries are created for events that happen while it is inactive. `GET …/backlog` counts the events that were not sent; `backlog` specifies what to do with them.',
  access: { scope: 'webhooks:manage', act: 'webhooks.update' },
  inDashboard: true,
  needsProof: { fields: ['url'] },
  body: updateWebhookInput,
  bodyDraft: updateWebhookDraft,
  response: { 200: success(webhook, samplePausedWebhook) },
});

export const deleteWebhook = defineRoute({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Delete a webhook',
  description:
    'Cancels its pending deliveries, and removes its history and the requests of members about it.',
  access: { scope: 'webhooks:manage', act: 'webhooks.delete' },
  inDashboard: true,
  needsProof: true,
  response: { 204: null },
});

export const regenerateWebhookSecret = defineRoute({
  name: 'regenerateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/regenerate-secret',
  summary: "Regenerate a webhook's signing secret",
  description:
    'Creates a new secret and returns it once; no other operation returns a secret. During the grace period the old secret signs too, and each delivery carries a signature for each. This also applies to the secret that a webhook was created with, although it was never shown. With a grace period of 0 only the new secret signs. At most 4 secrets sign at a time: if 4 do, the one that was never shown ends early. If there is no such secret, the 422 response states when the first of them ends.',
  access: { scope: 'webhooks:manage', act: 'webhooks.regenerate-secret' },
  inDashboard: true,
  oneTime: true,
  needsProof: true,
  body: regenerateSecretInput,
  onRepeat: 'fresh-secret',
  response: { 201: success(newSecret) },
});

export const endWebhookSecret = defineRoute({
  name: 'endWebhookSecret',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook}/secrets/{secret}',
  summary: 'End an older signing secret immediately',
  description:
    '`secret.older` of the webhook lists the UUIDs of the secrets that sign until the end of their grace period. From now on, deliveries have no signature of this one. The newest secret cannot be ended this way: regenerate it with a grace period of 0.',
  access: { scope: 'webhooks:manage', act: 'webhooks.regenerate-secret' },
  inDashboard: true,
  needsProof: true,
  response: { 204: null },
});
