import { z } from 'zod';
import { sentEventTypes } from '../deliveries/delivery.ts';
import { success, timestamp, uuid } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { sampleEvent, sampleFilter, sampleWebhookItem } from '../samples.ts';
import { filterRule } from './filter-rule.ts';
import { draftFilter, subscribedTypes } from './webhook-inputs.ts';

/** How many of the newest events a dry run reads. */
export const maxDryRunEvents = 2000;

const dryRunFilterInput = z
  .strictObject({
    filter: filterRule.nullable().describe('The rule to try; null: every event would be sent.'),
    events: subscribedTypes.describe('The event types that the webhook subscribes to.'),
    webhook: z
      .int({ error: 'Use the integer id of a webhook.' })
      .positive('Use the integer id of a webhook.')
      .optional()
      .describe('Integer id of a webhook, with whose filter in force the rule is compared.'),
  })
  .meta({
    id: 'DryRunFilterInput',
    description: 'A filter to try on past events.',
    examples: [{ filter: sampleFilter, events: sampleWebhookItem.events }],
  });

const examples = z.array(
  z.object({
    uuid: uuid.describe('UUID of the event.'),
    type: z.enum(sentEventTypes).describe('The event type.'),
    created_at: timestamp.describe('When the event happened.'),
    excerpt: z
      .string()
      .nullable()
      .describe(
        'The beginning of the message or subject; null for callers that may not read payloads.',
      ),
    clause: z
      .string()
      .nullable()
      .describe('The part of the rule that decided, in words; null if it was not evaluated.'),
  }),
);

const count = z.int().min(0);

const sampleExample = {
  uuid: sampleEvent.uuid,
  type: sampleEvent.type,
  created_at: sampleEvent.created_at,
  excerpt: sampleEvent.data.message.text,
  clause: 'data.message.author == "contact"',
};

const filterDryRun = z
  .object({
    is_limited: z
      .boolean()
      .describe(
        `Whether more than ${maxDryRunEvents.toLocaleString('en')} events happened in these 24 hours, of which only the newest were read.`,
      ),
    total: count.describe('How many events had one of the types.'),
    sent: count.describe('How many of them would be sent.'),
    not_evaluated: count.describe(
      'How many of these would be sent because the rule could not be evaluated.',
    ),
    in_force: z
      .object({
        sent: count.describe('How many of the events its filter lets through.'),
        newly_sent: count.describe('How many would be sent in addition.'),
        no_longer_sent: count.describe('How many would not be sent any more.'),
      })
      .nullable()
      .describe('What changes for the given webhook; null without one.'),
    examples: z
      .object({
        sent: examples.describe('Events that would be sent.'),
        not_sent: examples.describe('Events that would not be sent.'),
        newly_sent: examples.describe('Events that the filter in force leaves out.'),
        no_longer_sent: examples.describe('Events that only the filter in force lets through.'),
      })
      .describe('The newest 3 of each kind.'),
  })
  .meta({
    id: 'FilterDryRun',
    description: 'What a filter would do.',
    examples: [
      {
        is_limited: false,
        total: 1204,
        sent: 312,
        not_evaluated: 0,
        in_force: null,
        examples: { sent: [sampleExample], not_sent: [], newly_sent: [], no_longer_sent: [] },
      },
    ],
  });

export type FilterDryRun = z.infer<typeof filterDryRun>;

export const dryRunFilter = defineRoute({
  name: 'dryRunFilter',
  method: 'POST',
  path: '/api/v1/webhooks/filter-dry-runs',
  summary: 'Try a filter on the events of the last 24 hours',
  description: `Changes nothing, and needs no webhook. Of the newest ${maxDryRunEvents.toLocaleString('en')} events of the last 24 hours, it evaluates the rule for those of the given types that the caller may read. At most 60 dry runs a minute.`,
  access: { scope: 'webhooks:manage', act: 'webhooks.update' },
  inDashboard: true,
  body: dryRunFilterInput,
  bodyDraft: z.strictObject({ ...dryRunFilterInput.shape, filter: draftFilter.nullable() }),
  response: { 200: success(filterDryRun) },
});
