import { z } from 'zod';
import { conversation, message } from './conversations.ts';
import { eventTypes, testEventType } from './event-types.ts';
import type { EventType, TestEventType } from './event-types.ts';
import { timestamp } from './fields.ts';
import { sampleClosedConversation, sampleConversation, sampleMessage } from './samples.ts';

const { id, uuid, subject, status } = sampleConversation;

/** What each event type carries as `data`, and when and with what the sample happened. */
const eventTable = {
  'message.created': {
    data: z.object({
      message: message.describe('The message.'),
      conversation: conversation
        .pick({ id: true, uuid: true, subject: true, status: true })
        .describe('The conversation it was written in.'),
    }),
    sample: {
      timestamp: sampleMessage.created_at,
      data: { message: sampleMessage, conversation: { id, uuid, subject, status } },
    },
  },
  'conversation.created': {
    data: z.object({ conversation: conversation.describe('The conversation.') }),
    sample: {
      timestamp: sampleConversation.created_at,
      data: { conversation: sampleConversation },
    },
  },
  'conversation.closed': {
    data: z.object({ conversation: conversation.describe('The conversation.') }),
    sample: {
      timestamp: sampleClosedConversation.closed_at,
      data: { conversation: sampleClosedConversation },
    },
  },
  [testEventType]: {
    data: z.object({ message: z.string().min(1).max(1000).describe('A text for people.') }),
    sample: {
      timestamp: '2026-11-20T10:30:40.219+00:00',
      data: { message: 'This is a test. Nothing happened in a conversation.' },
    },
  },
} satisfies Record<
  EventType | TestEventType,
  { data: z.ZodType; sample: { timestamp: string; data: Record<string, unknown> } }
>;

/** What happened, by its type. */
export type NewEvent = {
  [Kind in EventType]: { type: Kind; data: z.output<(typeof eventTable)[Kind]['data']> };
}[EventType];

/** The body of every delivery of an event: its type, when it happened, and what it is about. */
export const eventPayloads = new Map(eventTypes.map((type) => [type, payloadOf(type)]));

/** The body of a delivery that was made by a test send of its own type. */
export const testEventPayload = payloadOf(testEventType);

/** What an event of this type is about. */
export function eventDataOf(type: EventType | TestEventType): z.ZodType {
  return eventTable[type].data;
}

/** An example of what an event of this type is about. */
export function sampleDataOf(type: EventType | TestEventType): Record<string, unknown> {
  return eventTable[type].sample.data;
}

function payloadOf(type: EventType | TestEventType) {
  const { data, sample } = eventTable[type];
  return z
    .object({
      type: z.literal(type).describe('The event type.'),
      timestamp: timestamp.describe('When it happened.'),
      data: data.describe('What the event is about.'),
    })
    .meta({
      id: `${pascalCase(type)}Event`,
      description: `The body of a delivery of \`${type}\`.`,
      examples: [{ type, ...sample }],
    });
}

function pascalCase(type: string): string {
  return type.replaceAll(/(?:^|\.)\w/g, (start) => (start.at(-1) ?? '').toUpperCase());
}
