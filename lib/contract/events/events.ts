import { z } from 'zod';
import { conversation, message } from '../conversations.ts';
import { timestamp } from '../fields/fields.ts';
import { origin } from '../fields/metadata.ts';
import {
  sampleApiKey,
  sampleClosedConversation,
  sampleConversation,
  sampleEvent,
  sampleMessage,
} from '../samples.ts';
import {
  apiKeyOfEvent,
  deactivatedWebhook,
  expiredApiKey,
  expiringApiKey,
  failingWebhook,
  revokedApiKey,
  sampleApiKeyOfEvent,
  sampleWebhookOfEvent,
  seesApiKeys,
  seesWebhooks,
  webhookOfEvent,
} from './key-and-webhook-data.ts';
import type { EventAccess } from './key-and-webhook-data.ts';
import { keysOf } from '#lib/object-keys.ts';

type EventDefinition = {
  /** What happened, in a sentence. */
  description: string;
  data: z.ZodType;
  /** When the example happened, and what it was about. */
  sample: { timestamp: string; data: Record<string, unknown> };
  /**
   * Who may read what it is about, and what a key needs to subscribe a webhook to it. Null for
   * customer content: then payload rights apply.
   */
  access: EventAccess | null;
};

/** The headings under which people find the types. */
type EventGroup = 'Conversations' | 'Keys and webhooks';

/** Where an event of a conversation comes from, and its place among them. */
const inConversation = {
  origin: origin.describe(
    'The API key that caused the event. A client that also receives events ignores those with its own key, so that it does not respond to itself.',
  ),
  sequence: z
    .int()
    .min(1)
    .describe(
      'Its place among the events of the conversation, from 1 on without gaps. Events can arrive in another order.',
    ),
};

const causedBySample = { origin: sampleConversation.origin };

/**
 * The event types a webhook can subscribe to. An entry here is all that the catalog, the API
 * description and the dashboard need to know of a type.
 */
const eventTable = {
  'message.created': {
    description: 'A message was written in a conversation.',
    data: z.object({
      message: message.describe('The message.'),
      conversation: conversation
        .pick({ id: true, uuid: true, subject: true, status: true, metadata: true })
        .describe('The conversation it was written in.'),
      ...inConversation,
    }),
    sample: {
      timestamp: sampleMessage.created_at,
      data: sampleEvent.data,
    },
    access: null,
    group: 'Conversations',
  },
  'conversation.created': {
    description: 'A conversation was opened.',
    data: z.object({
      conversation: conversation.describe('The conversation.'),
      ...inConversation,
    }),
    sample: {
      timestamp: sampleConversation.created_at,
      data: { conversation: sampleConversation, ...causedBySample, sequence: 1 },
    },
    access: null,
    group: 'Conversations',
  },
  'conversation.closed': {
    description: 'A conversation was closed.',
    data: z.object({
      conversation: conversation.describe('The conversation.'),
      ...inConversation,
    }),
    sample: {
      timestamp: sampleClosedConversation.closed_at,
      data: { conversation: sampleClosedConversation, ...causedBySample, sequence: 3 },
    },
    access: null,
    group: 'Conversations',
  },
  'api_key.expiring': {
    description: 'An API key expires in 7 days, or in 1 day.',
    data: expiringApiKey,
    sample: {
      timestamp: '2027-07-27T00:00:08.114+00:00',
      data: {
        api_key: sampleApiKeyOfEvent,
        expires_at: sampleApiKey.expires_at,
        expires_in: 604_791,
      },
    },
    access: seesApiKeys,
    group: 'Keys and webhooks',
  },
  'api_key.expired': {
    description: 'An API key expired.',
    data: expiredApiKey,
    sample: {
      timestamp: '2027-08-03T00:00:06.402+00:00',
      data: { api_key: sampleApiKeyOfEvent, expires_at: sampleApiKey.expires_at },
    },
    access: seesApiKeys,
    group: 'Keys and webhooks',
  },
  'api_key.revoked': {
    description: 'An API key was revoked.',
    data: revokedApiKey,
    sample: {
      timestamp: '2026-11-20T10:31:07.440+00:00',
      data: { api_key: sampleApiKeyOfEvent, reason: 'Reported as leaked' },
    },
    access: seesApiKeys,
    group: 'Keys and webhooks',
  },
  'api_key.leak_reported': {
    description: 'Someone reported that the token of an API key leaked.',
    data: z.object({ api_key: apiKeyOfEvent }),
    sample: {
      timestamp: '2026-11-20T10:30:12.018+00:00',
      data: { api_key: sampleApiKeyOfEvent },
    },
    access: seesApiKeys,
    group: 'Keys and webhooks',
  },
  'webhook.failing': {
    description: 'Another webhook began to fail: three attempts in a row, or for five minutes.',
    data: failingWebhook,
    sample: {
      timestamp: '2026-11-20T10:36:02.350+00:00',
      data: {
        webhook: sampleWebhookOfEvent,
        failing_since: '2026-11-20T10:30:58.007+00:00',
        failure_count: 3,
        deactivates_at: '2026-11-25T10:30:58.007+00:00',
      },
    },
    access: seesWebhooks,
    group: 'Keys and webhooks',
  },
  'webhook.deactivated': {
    description: 'Another webhook was deactivated because of its failures, or after a 410.',
    data: deactivatedWebhook,
    sample: {
      timestamp: '2026-11-25T10:41:19.870+00:00',
      data: { webhook: sampleWebhookOfEvent, reason: 'failing' },
    },
    access: seesWebhooks,
    group: 'Keys and webhooks',
  },
  'webhook.recovered': {
    description: 'Another webhook works again: an attempt succeeded after it was failing.',
    data: z.object({ webhook: webhookOfEvent }),
    sample: {
      timestamp: '2026-11-20T11:02:40.118+00:00',
      data: { webhook: sampleWebhookOfEvent },
    },
    access: seesWebhooks,
    group: 'Keys and webhooks',
  },
} satisfies Record<string, EventDefinition & { group: EventGroup }>;

export type EventType = keyof typeof eventTable;

export const eventTypes = keysOf(eventTable);

/** Types about API keys are always chosen explicitly, since they need a scope of their own. */
export function isInAll(type: EventType): boolean {
  return !type.startsWith('api_key.');
}

/** The types that a webhook has which subscribes to all and to `chosen`. */
export function allTypesWith(chosen: readonly EventType[]): EventType[] {
  return eventTypes.filter((type) => isInAll(type) || chosen.includes(type));
}

/** The type of a test send: only ever sent on demand, so nothing subscribes to it. */
export const testEventType = 'webhook.test';

export type TestEventType = typeof testEventType;

const testEvent = {
  description: 'A test, sent on demand to one webhook.',
  data: z.object({ message: z.string().min(1).max(1000).describe('A text for people.') }),
  sample: {
    timestamp: '2026-11-20T10:30:40.219+00:00',
    data: { message: 'This is a test. Nothing happened in a conversation.' },
  },
  access: null,
} satisfies EventDefinition;

const inTests = z
  .literal(true)
  .describe(
    'Present in a test, which was sent on demand: nothing really happened. Absent otherwise.',
  );

/** What happened, by its type. */
export type NewEvent = {
  [Type in EventType]: { type: Type; data: z.output<(typeof eventTable)[Type]['data']> };
}[EventType];

/** The body of every delivery of an event: its type, when it happened, and what it is about. */
export const eventPayloads = new Map(eventTypes.map((type) => [type, payloadOf(type)]));

/** The body of a test event of the type `webhook.test`. */
export const testEventPayload = payloadOf(testEventType);

/** What happened when an event of this type is sent, in a sentence. */
export function eventDescriptionOf(type: EventType | TestEventType): string {
  return definitionOf(type).description;
}

export function eventDataOf(type: EventType | TestEventType): z.ZodType {
  return definitionOf(type).data;
}

/** An example of what an event of this type is about. */
export function sampleDataOf(type: EventType | TestEventType): Record<string, unknown> {
  return definitionOf(type).sample.data;
}

/** Who may read the data of an event of this type; null: payload rights apply. */
export function eventAccessOf(type: EventType | TestEventType): EventAccess | null {
  return definitionOf(type).access;
}

/** Under which heading people find the type. */
export function eventGroupOf(type: EventType): EventGroup {
  return eventTable[type].group;
}

function definitionOf(type: EventType | TestEventType): EventDefinition {
  return type === testEventType ? testEvent : eventTable[type];
}

function payloadOf<Type extends EventType | TestEventType>(type: Type) {
  const { data, sample } = definitionOf(type);
  const isTest = type === testEventType;
  return z
    .object({
      type: z.literal(type).describe('The event type.'),
      timestamp: timestamp.describe('When it happened.'),
      test: isTest ? inTests : inTests.optional(),
      data: data.describe('What the event is about.'),
    })
    .meta({
      id: `${pascalCase(type)}Event`,
      description: `The body of a delivery of \`${type}\`.`,
      examples: [
        {
          type,
          timestamp: sample.timestamp,
          ...(isTest && { test: true }),
          data: sample.data,
        },
      ],
    });
}

function pascalCase(type: string): string {
  return type.replaceAll(/(?:^|[._])\w/g, (start) => (start.at(-1) ?? '').toUpperCase());
}
