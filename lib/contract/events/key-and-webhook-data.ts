import { z } from 'zod';
import { keyTypes } from '../api-keys/key-types.ts';
import type { Scope } from '../api-keys/scopes.ts';
import { identifiers, timestamp } from '../fields/fields.ts';
import type { Act } from '../rights/roles.ts';
import { sampleApiKey, sampleWebhook } from '../samples.ts';

/** The scope that a key needs to read something, and the act that a member needs. */
export type EventAccess = { scope: Scope; act: Act };

/** For events whose data everyone who sees the keys of an account can see there. */
export const seesApiKeys: EventAccess = { scope: 'api-keys:read', act: 'api-keys.read' };

export const seesWebhooks: EventAccess = { scope: 'webhooks:read', act: 'webhooks.read' };

export const apiKeyOfEvent = z
  .object({
    ...identifiers('the key'),
    name: z.string().describe('Its name.'),
    type: z.enum(keyTypes).describe('Its type.'),
    last_four: z.string().length(4).describe('The last four characters of its newest token.'),
  })
  .describe('The key.');

export const expiringApiKey = z.object({
  api_key: apiKeyOfEvent,
  expires_at: timestamp.describe('When it expires.'),
  expires_in: z.int().min(1).describe('Seconds from the time of the event until then.'),
});

export const expiredApiKey = z.object({
  api_key: apiKeyOfEvent,
  expires_at: timestamp.describe('When it expired.'),
});

export const revokedApiKey = z.object({
  api_key: apiKeyOfEvent,
  reason: z.string().nullable().describe('The reason that was given for it; null if none was.'),
});

export const webhookOfEvent = z
  .object({ ...identifiers('the webhook'), name: z.string().describe('Its name.') })
  .describe('The webhook.');

export const failingWebhook = z.object({
  webhook: webhookOfEvent,
  failing_since: timestamp.describe('When the first attempt failed after the last success.'),
  failure_count: z.int().min(1).describe('Failed attempts since the last success.'),
  deactivates_at: timestamp.describe(
    'The earliest time at which it is deactivated. That happens with the first failed attempt from then on, unless an attempt succeeded before or fewer than ten have failed.',
  ),
});

export const deactivatedWebhook = z.object({
  webhook: webhookOfEvent,
  reason: z
    .enum(['failing', 'gone'])
    .describe(
      '`failing`: it failed for 5 days, in at least ten attempts in a row. `gone`: the receiver responded with 410.',
    ),
});

const { id, uuid, name, type, last_four } = sampleApiKey;

export const sampleApiKeyOfEvent = { id, uuid, name, type, last_four };

export const sampleWebhookOfEvent = {
  id: sampleWebhook.id,
  uuid: sampleWebhook.uuid,
  name: sampleWebhook.name,
};
