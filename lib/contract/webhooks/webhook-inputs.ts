import { z } from 'zod';
import { eventTypes } from '../events/events.ts';
import { rawText } from '../fields/bounded-text.ts';
import { hourSeconds } from '#lib/durations.ts';
import { email } from '../people/credentials.ts';
import { gracePeriodSeconds, name, shortTextRules } from '../fields/fields.ts';
import { defaultGraceSeconds } from '../fields/grace-period.ts';
import { instantField } from '../fields/instants.ts';
import { sampleWebhookItem } from '../samples.ts';
import { whenValid } from '../when-valid.ts';
import { givenFilter } from './filter-rule.ts';
import { changedHeaders, newHeaders } from './static-headers.ts';
import { eventType } from './webhook.ts';

const isActive = z.boolean({ error: 'Use true or false.' });

const allEvents = z.boolean({ error: 'Use true or false.' });

const backlog = z.enum(['deliver', 'skip'], { error: 'Use deliver or skip.' });

const url = rawText(10_000, { tooLong: 'Use at most 2048 characters.' })
  .trim()
  .min(1, 'Enter the URL that receives the events.')
  .max(2048, 'Use at most 2048 characters.')
  .describe(
    'Where deliveries are sent: an `https` URL (`http` only where the operator allows it) with a public host and any port except those of other services that browsers refuse too, such as 22 and 25. No user name, password or fragment; at most 2048 characters. The host is looked up, and its addresses are checked, each time a delivery is sent.',
  );

/** Event types, at least one. */
export const subscribedTypes = z
  .array(eventType, { error: 'Use a list of event types.' })
  .min(1, 'Choose at least one event type.')
  .max(eventTypes.length, 'List each event type only once.')
  .refine((types) => new Set(types).size === types.length, 'List each event type only once.')
  .meta({ uniqueItems: true });

const events = subscribedTypes.describe(
  'The event types to subscribe to: at least one, each once. A key needs `api-keys:read` to subscribe to types that begin with `api_key.`, and to change the URL of a webhook that subscribes to one or has a pending delivery of one. Events about a webhook are never sent to that webhook.',
);

/** A larger number would make no difference that receivers notice. */
const maxRate = 100;
const rateAdvice = `Use a whole number from 1 to ${maxRate}, or null for no limit.`;

const maxPerSecond = z
  .int({ error: rateAdvice })
  .min(1, rateAdvice)
  .max(maxRate, rateAdvice)
  .nullable()
  .optional()
  .describe(
    'The most deliveries that begin within a second, retries and tests included. The rest wait in order. Null: as fast as the receiver responds.',
  );

const contactEmail = email
  .nullable()
  .optional()
  .describe(
    'Who is told by email, besides owners and admins, when the webhook begins to fail, before and when it is deactivated, and when it works again. The address gets a link first, and is told nothing until someone confirms it. Null: nobody.',
  );

export const createWebhookInput = z
  .strictObject({
    name: name.describe(`The name that people know the webhook by: ${shortTextRules}`),
    url,
    events: events.optional(),
    all_events: allEvents
      .optional()
      .describe(
        'Subscribes to all event types, including those that are added later. Types that begin with `api_key.` do not belong to them: list those in `events` as well. Without it, `events` is required.',
      ),
    filter: givenFilter,
    headers: newHeaders.optional(),
    max_deliveries_per_second: maxPerSecond,
    contact_email: contactEmail,
    is_active: isActive
      .default(true)
      .describe('Whether to send deliveries to it from now on. Default: true.'),
  })
  .refine(namesTypes, {
    path: ['events'],
    message: 'Use a list of event types, or all_events: true.',
    ...whenValid({ events: events.optional(), all_events: allEvents.optional() }),
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

function namesTypes(input: { events?: unknown; all_events?: boolean | undefined }): boolean {
  return input.events !== undefined || input.all_events === true;
}

/** Only the service knows which URLs may be called. */
const draftFields = {
  name: rawText(1000, { tooLong: 'Use at most 100 characters.' }),
  url: rawText(10_000, { tooLong: 'Use at most 2048 characters.' }),
  events: z.array(eventType).max(eventTypes.length, 'List each event type only once.'),
};

/** The same for filters and static headers, which the service refuses at their fields. */
export const draftFilter = z.record(z.string(), z.unknown());
const draftName = rawText(200, { tooLong: 'Use a header name of at most 64 characters.' });
const draftValue = rawText(10_000, { tooLong: 'Use a value of at most 2048 characters.' });
const draftHeaders = z.record(draftName, draftValue).optional();
const draftHeadersToChange = z.record(draftName, draftValue.nullable()).optional();

export const createWebhookDraft = z.strictObject({
  ...createWebhookInput.shape,
  ...draftFields,
  events: draftFields.events.optional(),
  filter: draftFilter.nullable().optional(),
  headers: draftHeaders,
});

export type CreateWebhookInput = z.input<typeof createWebhookInput>;

export const updateWebhookInput = z
  .strictObject({
    name: name.optional().describe(`The new name: ${shortTextRules}`),
    url: url.optional(),
    events: events.optional(),
    all_events: allEvents
      .optional()
      .describe(
        'Whether to subscribe to all event types, including those that are added later. `events` without this field subscribes to the listed types only; `false` without `events` keeps the types that `events` has now.',
      ),
    filter: givenFilter,
    headers: changedHeaders.optional(),
    max_deliveries_per_second: maxPerSecond,
    contact_email: contactEmail,
    is_active: isActive
      .optional()
      .describe(
        'Whether to send deliveries to it. Activating an inactive webhook sets its `failure_count` to 0; `backlog` specifies what to do with the events that it missed.',
      ),
    backlog: backlog
      .optional()
      .describe(
        'Only with `is_active: true`, for an inactive webhook. `deliver` replays the events that happened since it became inactive, and those given up since it began to fail, such as the event that got a 410; `skip` cancels the deliveries that were pending then. If omitted, those deliveries continue, and the missed events are not sent.',
      ),
  })
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Include at least one field to change.',
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

export const updateWebhookDraft = z.strictObject({
  ...updateWebhookInput.shape,
  ...z.strictObject(draftFields).partial().shape,
  filter: draftFilter.nullable().optional(),
  headers: draftHeadersToChange,
});

export type UpdateWebhookInput = z.input<typeof updateWebhookInput>;

export const regenerateSecretInput = z
  .strictObject({
    grace_period_seconds: gracePeriodSeconds
      .optional()
      .describe(
        `Grace period in seconds for the current secret. Default: ${defaultGraceSeconds} (${defaultGraceSeconds / hourSeconds} hours). Secrets that were replaced earlier keep their own deadlines. 0 ends every older secret immediately.`,
      ),
    expected_created_at: instantField
      .optional()
      .describe(
        '`secret.created_at` of the webhook, as you last read it. If the newest secret is another one, nothing changes, and the 422 response states when the secret was regenerated and by whom.',
      ),
  })
  .meta({
    id: 'RegenerateSecretInput',
    description: 'How to replace the secret.',
    examples: [{ grace_period_seconds: defaultGraceSeconds }],
  });

export type RegenerateSecretInput = z.input<typeof regenerateSecretInput>;
