import { z } from 'zod';
import { eventTypes } from '../events/events.ts';
import { actorReference } from '../fields/actor-reference.ts';
import { identifiers, timestamp } from '../fields/fields.ts';
import { unconfirmedFields } from '../fields/unconfirmed-fields.ts';
import { sampleWebhook, sampleWebhookItem } from '../samples.ts';
import { filterRule } from './filter-rule.ts';
import { headerNames } from './static-headers.ts';

export const eventType = z
  .enum(eventTypes, { error: `Use only these event types: ${eventTypes.join(', ')}.` })
  .meta({ id: 'EventType', description: 'An event type that a webhook can subscribe to.' });

const webhookFields = {
  ...identifiers('the webhook'),
  name: z.string().describe('The name that people know the webhook by.'),
  url: z
    .string()
    .describe(
      'Where deliveries are sent. Members who may not change webhooks see the scheme and host only, followed by `/…`.',
    ),
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
    all_events: z
      .boolean()
      .describe(
        'Whether it subscribes to all event types, including those that are added later. `events` lists the types that this means today.',
      ),
    filter: filterRule
      .nullable()
      .describe('Which events are sent, as a rule of JSON Logic; null: every event.'),
    header_names: headerNames,
    contact: z
      .object({
        email: z.string().describe('The address.'),
        is_confirmed: z
          .boolean()
          .describe('Whether someone confirmed the address. Until then it is told nothing.'),
      })
      .nullable()
      .describe('Who is told of failures besides owners and admins; null: nobody.'),
    max_deliveries_per_second: z
      .int()
      .min(1)
      .nullable()
      .describe('The most deliveries that begin within a second; null: no limit.'),
    secret: z
      .object({
        last_four: z
          .string()
          .length(4)
          .nullable()
          .describe(
            'The last four characters of the newest secret. Compare them with those of the secret that your server has. Null if it cannot be read: regenerate it with a grace period of 0.',
          ),
        created_at: timestamp.describe(
          'When the newest secret was created. A webhook is created with one.',
        ),
        was_shown: z
          .boolean()
          .describe(
            'Whether the newest secret was shown to anyone. False for the one that the webhook was created with: it signs deliveries, but no one can verify them with it. Regenerate the secret to get one that you can use.',
          ),
        unconfirmed: z
          .object(unconfirmedFields)
          .nullable()
          .describe(
            'Set if the newest secret was shown in the dashboard and was not confirmed; otherwise null. A secret that this API returned counts as confirmed.',
          ),
        previous_valid_until: timestamp
          .nullable()
          .describe(
            'Until when the previous secret signs as well; null if no older secret does. Of several older secrets that sign, the previous one is the latest.',
          ),
        older: z
          .array(
            z.object({
              uuid: z.uuid().describe('Its UUID, to end it early.'),
              last_four: z
                .string()
                .length(4)
                .nullable()
                .describe('Its last four characters; null if it cannot be read.'),
              created_at: timestamp.describe('When it was created.'),
              valid_until: timestamp.describe('Until when it signs.'),
            }),
          )
          .describe('The older secrets that still sign, the latest first.'),
      })
      .describe(
        'When its signing secret was created, its last four characters and whether it was shown to anyone, without the secret itself.',
      ),
    created_by: actorReference.nullable().describe('Who created it; null if not recorded.'),
    updated_at: timestamp.describe('When the webhook was last changed.'),
  })
  .meta({
    id: 'Webhook',
    description: 'A webhook with the state behind `is_active`, without its signing secret.',
    examples: [sampleWebhook],
  });

export type Webhook = z.infer<typeof webhook>;
