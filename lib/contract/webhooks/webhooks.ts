import { z } from 'zod';
import { rawText } from '../fields/bounded-text.ts';
import { unconfirmedFields } from '../fields/unconfirmed-fields.ts';
import { eventTypes } from '../events/events.ts';
import {
  gracePeriodSeconds,
  identifiers,
  name,
  shortTextRules,
  success,
  timestamp,
} from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';
import { whenValid } from '../when-valid.ts';
import {
  sampleNewSecret,
  sampleNewWebhook,
  samplePausedWebhook,
  sampleWebhook,
  sampleWebhookItem,
} from '../samples.ts';

const eventType = z
  .enum(eventTypes, { error: `Use only these event types: ${eventTypes.join(', ')}.` })
  .meta({ id: 'EventType', description: 'An event type that a webhook can subscribe to.' });

const webhookFields = {
  ...identifiers('the webhook'),
  name: z.string().describe('The name that people know the webhook by.'),
  url: z.string().describe('Where deliveries are sent.'),
  events: z.array(eventType).describe('The event types that it subscribes to.'),
  is_active: z.boolean().describe('Whether deliveries are sent to it.'),
  failure_count: z
    .int()
    .min(0)
    .describe('Failed attempts since the last success; 0 for a new webhook. Tests do not count.'),
  last_triggered_at: timestamp
    .nullable()
    .describe('When the latest attempt began, tests included; null if there was none.'),
  created_at: timestamp.describe('When the webhook was created.'),
};

/** An item of the webhook list: exactly the nine documented fields (specification, Resources). */
export const webhookItem = z.object(webhookFields).meta({
  id: 'WebhookItem',
  description: 'A webhook as the list shows it.',
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
      .describe(
        '`active`: deliveries are sent. `paused`: a member or key made it inactive. `deactivated`: the service did, because of its failures or a 410. `pending_setup`: it was created inactive and has not been activated yet.',
      ),
    inactive_since: timestamp.nullable().describe('Since when it is inactive; null if active.'),
    inactive_reason: z
      .string()
      .nullable()
      .describe(
        'Why it is inactive: `setup`, `paused`, `failing` (it failed for 5 days, in at least ten attempts in a row) or `gone` (the receiver responded with 410); null if active.',
      ),
    failing_since: timestamp
      .nullable()
      .describe('When the first attempt failed after the last success; null if none has.'),
    secret: z
      .object({
        created_at: timestamp
          .nullable()
          .describe(
            'When the newest secret was made. A webhook is made with one. Null only for a webhook that an earlier version of the service made without one while it ran beside this version; it gets one within an hour.',
          ),
        was_shown: z
          .boolean()
          .describe(
            'Whether anyone was shown the newest secret. False for the one that the webhook was made with: it signs deliveries, and nobody can verify them with it. Regenerate the secret to be shown one.',
          ),
        unconfirmed: z
          .object(unconfirmedFields)
          .nullable()
          .describe(
            'Set if the newest secret was shown in the dashboard and nobody confirmed having it; else null. A secret that this API returned counts as confirmed.',
          ),
        previous_valid_until: timestamp
          .nullable()
          .describe(
            'Until when the previous secret signs as well; null if no older secret does. Of several older secrets that sign, the previous one is the latest.',
          ),
      })
      .describe(
        'When its signing secret was made and whether anyone was shown it, without the secret itself.',
      ),
    updated_at: timestamp.describe('When the webhook was last changed.'),
  })
  .meta({
    id: 'Webhook',
    description: 'A webhook with the state behind `is_active`, without its signing secret.',
    examples: [sampleWebhook],
  });

export type Webhook = z.infer<typeof webhook>;

const isActive = z.boolean({ error: 'Use true or false.' });

const backlog = z.enum(['deliver', 'skip'], { error: 'Use deliver or skip.' });

const url = rawText(10_000, { tooLong: 'Use at most 2048 characters.' })
  .trim()
  .min(1, 'Enter the URL that receives the events.')
  .max(2048, 'Use at most 2048 characters.')
  .describe(
    'Where deliveries are sent: an `https` URL (`http` only where the operator allows it) with a public host and port 443, 80, or one from 1024 to 65535. No user name, password or fragment; at most 2048 characters. The host is looked up, and its addresses are checked, each time a delivery is sent.',
  );

const events = z
  .array(eventType, { error: 'Give a list of event types.' })
  .min(1, 'Choose at least one event type.')
  .max(eventTypes.length, 'List each event type only once.')
  .refine((types) => new Set(types).size === types.length, 'List each event type only once.')
  .meta({
    uniqueItems: true,
    description:
      'The event types to subscribe to: at least one, each once. A key needs `api-keys:read` to subscribe to types that begin with `api_key.`, and to change the URL of a webhook that subscribes to one or has a pending delivery of one. Events about a webhook are never sent to that webhook.',
  });

export const createWebhookInput = z
  .strictObject({
    name: name.describe(`The name that people know the webhook by: ${shortTextRules}`),
    url,
    events,
    is_active: isActive
      .default(true)
      .describe('Whether to send deliveries to it from now on; true if left out.'),
  })
  .meta({
    id: 'CreateWebhookInput',
    description: 'A webhook to create.',
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
    name: name.optional().describe(`The new name: ${shortTextRules}`),
    url: url.optional(),
    events: events.optional(),
    is_active: isActive
      .optional()
      .describe(
        'Whether to send deliveries to it. Activating an inactive webhook sets its `failure_count` to 0; `backlog` says what to do about what it missed.',
      ),
    backlog: backlog
      .optional()
      .describe(
        'Only with `is_active: true`, for an inactive webhook. `deliver` replays what happened since it became inactive; `skip` cancels the deliveries that were pending then. If left out, those deliveries go on, and what happened since is not sent.',
      ),
  })
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Give at least one field to change.',
  })
  .refine((input) => input.backlog === undefined || input.is_active === true, {
    path: ['backlog'],
    message: 'Use it together with is_active: true.',
    ...whenValid({ is_active: isActive.optional(), backlog: backlog.optional() }),
  })
  .meta({
    id: 'UpdateWebhookInput',
    description: 'The fields to change: at least one. Fields that are left out stay as they are.',
    minProperties: 1,
    examples: [{ is_active: false }],
  });

export type UpdateWebhookInput = z.input<typeof updateWebhookInput>;

export const regenerateSecretInput = z
  .strictObject({
    grace_period_seconds: gracePeriodSeconds
      .optional()
      .describe(
        'For how many seconds the old secret signs beside the new one; 86400 (24 hours) if left out. Secrets that were replaced before keep their own end. 0 stops every older one at once.',
      ),
    expected_created_at: instantField
      .optional()
      .describe(
        '`secret.created_at` of the webhook, as you last read it. If the newest secret is another one, nothing changes, and the 422 response says when the secret was regenerated and by whom.',
      ),
  })
  .meta({
    id: 'RegenerateSecretInput',
    description: 'How to replace the secret.',
    examples: [{ grace_period_seconds: 86_400 }],
  });

const newSecret = z
  .object({
    secret: z
      .string()
      .regex(/^whsec_/)
      .describe('The new secret. No other response contains it: save it now.'),
    message: z
      .string()
      .describe(
        'Says until when the old secret signs, and whether anyone was ever shown that one.',
      ),
  })
  .meta({
    id: 'NewSecret',
    description: 'The signing secret that was just made.',
    examples: [sampleNewSecret],
  });

export type RegenerateSecretInput = z.input<typeof regenerateSecretInput>;

export const listWebhooks = defineRoute({
  name: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List webhooks',
  description:
    'Returns all webhooks of the account in one response, without pages. A key with `webhooks:manage` may list them too, since that scope includes `webhooks:read`.',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  query: z.object({
    include: z
      .enum(['state'], { error: 'Use include=state, or leave it out.' })
      .optional()
      .describe(
        '`state` adds to each item the fields that a single webhook has. If left out, items have the nine fields of `WebhookItem`.',
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
    'Its deliveries are signed from the first one on, with a secret that is made now and shown to nobody: `secret.was_shown` is false. To get a secret with which you can verify signatures, call regenerate-secret. To have nothing delivered before your server knows the secret, create the webhook with `is_active: false`, regenerate the secret, and then activate the webhook. Unless the operator chose otherwise, an account can have 100 webhooks, a key or person may create 60 keys and webhooks an hour, and an account 300.',
  access: { scope: 'webhooks:manage', act: 'webhooks.create' },
  needsProof: true,
  isCreationLimited: true,
  body: createWebhookInput,
  onRepeat: 'same-response',
  response: { 201: success(webhook, sampleNewWebhook) },
});

export const getWebhook = defineRoute({
  name: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Get a webhook',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  response: { 200: success(webhook) },
});

export const updateWebhook = defineRoute({
  name: 'updateWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Change a webhook',
  description:
    'Nothing is sent to an inactive webhook: pending deliveries wait, and no deliveries are made for events that happen meanwhile. A dry run of a replay since `inactive_since` says how many events that is; with `backlog` you say what to do about them.',
  access: { scope: 'webhooks:manage', act: 'webhooks.update' },
  needsProof: { fields: ['url'] },
  body: updateWebhookInput,
  response: { 200: success(webhook, samplePausedWebhook) },
});

export const deleteWebhook = defineRoute({
  name: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook}',
  summary: 'Delete a webhook',
  description: 'Cancels its pending deliveries and removes its history.',
  access: { scope: 'webhooks:manage', act: 'webhooks.delete' },
  needsProof: true,
  response: { 204: null },
});

export const regenerateWebhookSecret = defineRoute({
  name: 'regenerateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook}/regenerate-secret',
  summary: "Regenerate a webhook's signing secret",
  description:
    'Makes a new secret and returns it once; no other operation returns a secret. During the grace period the old secret signs too, and each delivery carries a signature for each. This also holds for the secret that a webhook was created with, although nobody was shown it. With a grace period of 0 only the new secret signs. At most 4 secrets sign at a time: if 4 do, the one that nobody was shown ends early. If there is no such secret, the response is 422 and says when the first of them ends.',
  access: { scope: 'webhooks:manage', act: 'webhooks.regenerate-secret' },
  needsProof: true,
  body: regenerateSecretInput,
  onRepeat: 'fresh-secret',
  response: { 201: success(newSecret) },
});
