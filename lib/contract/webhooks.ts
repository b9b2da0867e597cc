import { z } from 'zod';
import { rawText } from './bounded-text.ts';
import { eventKinds } from './event-kinds.ts';
import { gracePeriodSeconds, id, name, requiredText, success, timestamp, uuid } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleNewSecret, sampleWebhook, sampleWebhookItem } from './samples.ts';

const eventKind = z
  .enum(eventKinds, { error: `Use event kinds out of: ${eventKinds.join(', ')}.` })
  .meta({ id: 'EventKind' });

const webhookFields = {
  id,
  uuid,
  name: z.string(),
  url: z.string(),
  events: z.array(eventKind),
  is_active: z.boolean(),
  failure_count: z
    .int()
    .min(0)
    .describe('Failed attempts since the last success; 0 for a new webhook.'),
  last_triggered_at: timestamp
    .nullable()
    .describe('Start of the latest attempt; null when never triggered.'),
  created_at: timestamp,
};

/** An item of the webhook list: exactly the nine documented fields (specification, Resources). */
export const webhookItem = z.object(webhookFields).meta({
  id: 'WebhookItem',
  examples: [sampleWebhookItem],
});

export type WebhookItem = z.infer<typeof webhookItem>;

export const webhookStatuses = ['active', 'paused', 'deactivated', 'pending_setup'] as const;

/** A webhook with the state behind `is_active`. The signing secret itself is never part of it. */
export const webhook = z
  .object({
    ...webhookFields,
    status: z
      .enum(webhookStatuses)
      .describe('`pending_setup`: made inactive and no signing secret generated or saved yet.'),
    inactive_since: timestamp.nullable(),
    inactive_reason: z.string().nullable(),
    failing_since: timestamp.nullable(),
    secret: z.object({
      created_at: timestamp.nullable().describe('Null until a secret is generated.'),
      previous_valid_until: timestamp
        .nullable()
        .describe('Until when the replaced secret signs as well.'),
    }),
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook', examples: [sampleWebhook] });

export type Webhook = z.infer<typeof webhook>;

const url = rawText(10_000, { error: requiredText, tooLong: 'Use at most 2048 characters.' })
  .trim()
  .min(1, 'Give the address that receives the events.')
  .max(2048, 'Use at most 2048 characters.');

const events = z
  .array(eventKind, { error: 'Give a list of event kinds.' })
  .min(1, 'Choose at least one event kind.')
  .max(eventKinds.length, 'An event kind stands here twice.')
  .refine((kinds) => new Set(kinds).size === kinds.length, 'An event kind stands here twice.')
  .meta({ uniqueItems: true });

export const createWebhookInput = z
  .strictObject({
    name,
    url,
    events,
    is_active: z.boolean({ error: 'Use true or false.' }).default(true),
  })
  .meta({
    id: 'CreateWebhookInput',
    examples: [
      {
        name: sampleWebhookItem.name,
        url: sampleWebhookItem.url,
        events: sampleWebhookItem.events,
      },
    ],
  });

export type CreateWebhookInput = z.input<typeof createWebhookInput>;

export const updateWebhookInput = z
  .strictObject({
    name: name.optional(),
    url: url.optional(),
    events: events.optional(),
    is_active: z.boolean({ error: 'Use true or false.' }).optional(),
    backlog: z
      .enum(['deliver', 'skip'], { error: 'Use deliver or skip.' })
      .optional()
      .describe(
        'Only with `is_active: true`, for an inactive webhook. `deliver` replays what happened since it became inactive; `skip` cancels what was pending then. Left out: what was pending goes on, and nothing is made up for.',
      ),
  })
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Give at least one field to change.',
  })
  .refine((input) => input.backlog === undefined || input.is_active === true, {
    path: ['backlog'],
    message: 'Use it together with is_active: true.',
  })
  .meta({ id: 'UpdateWebhookInput', minProperties: 1, examples: [{ is_active: false }] });

export type UpdateWebhookInput = z.input<typeof updateWebhookInput>;

export const regenerateSecretInput = z
  .strictObject({ grace_period_seconds: gracePeriodSeconds.optional() })
  .meta({ id: 'RegenerateSecretInput', examples: [{ grace_period_seconds: 86_400 }] });

const newSecret = z
  .object({
    secret: z.string().startsWith('whsec_').describe('Shown in this answer only.'),
    message: z.string().describe('Says until when the old secret signs.'),
  })
  .meta({ id: 'NewSecret', examples: [sampleNewSecret] });

export type RegenerateSecretInput = z.input<typeof regenerateSecretInput>;

export const listWebhooks = defineRoute({
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List webhooks',
  description: 'All of them, without pages.',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  query: z.object({
    include: z
      .enum(['state'], { error: 'Use include=state, or leave it out.' })
      .optional()
      .describe('`state` adds to each item what the single webhook shows.'),
  }),
  reply: {
    200: success(z.array(z.union([webhook, webhookItem]).meta({ examples: [sampleWebhookItem] }))),
  },
});

export const createWebhook = defineRoute({
  name: 'createWebhook',
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Create a webhook',
  description:
    'It has no signing secret until one is regenerated. An account has at most 100 webhooks. Unless the operator chose otherwise, a key or person may create 60 keys and webhooks an hour, and an account 300.',
  access: { scope: 'webhooks:manage', act: 'webhooks.create' },
  needsProof: true,
  isCreationLimited: true,
  body: createWebhookInput,
  reply: { 201: success(webhook) },
});

export const getWebhook = defineRoute({
  name: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Get a webhook',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  reply: { 200: success(webhook) },
});

export const updateWebhook = defineRoute({
  name: 'updateWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Change a webhook',
  description:
    'An inactive webhook is sent nothing: what is pending waits, and of what happens meanwhile no deliveries are made. A dry run of a replay since `inactive_since` says how much that is; `backlog` says what becomes of it.',
  access: { scope: 'webhooks:manage', act: 'webhooks.update' },
  needsProof: { field: 'url' },
  body: updateWebhookInput,
  reply: { 200: success(webhook) },
});

export const deleteWebhook = defineRoute({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Delete a webhook',
  description: 'What is pending is not sent any more, and its deliveries are gone.',
  access: { scope: 'webhooks:manage', act: 'webhooks.delete' },
  needsProof: true,
  reply: { 204: null },
});

export const regenerateWebhookSecret = defineRoute({
  name: 'regenerateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/regenerate-secret',
  summary: "Regenerate a webhook's signing secret",
  description:
    'Makes a new secret and answers it once. The old one signs beside it for the grace period.',
  access: { scope: 'webhooks:manage', act: 'webhooks.regenerate-secret' },
  needsProof: true,
  body: regenerateSecretInput,
  onRepeat: 'fresh-secret',
  reply: { 201: success(newSecret) },
});
