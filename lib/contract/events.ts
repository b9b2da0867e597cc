import { z } from 'zod';
import { conversation, message } from './conversations.ts';
import { eventKinds, testEventKind } from './event-kinds.ts';
import type { EventKind, TestEventKind } from './event-kinds.ts';
import { timestamp } from './fields.ts';
import { sampleClosedConversation, sampleConversation, sampleMessage } from './samples.ts';

const { id, uuid, subject, status } = sampleConversation;

/** What each kind of event carries as `data`, and when and with what the sample happened. */
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
  [testEventKind]: {
    data: z.object({ message: z.string().min(1).max(1000).describe('A text for people.') }),
    sample: {
      timestamp: '2026-11-20T10:30:40.219+00:00',
      data: { message: 'This is a test. Nothing happened in a conversation.' },
    },
  },
} satisfies Record<
  EventKind | TestEventKind,
  { data: z.ZodType; sample: { timestamp: string; data: Record<string, unknown> } }
>;

/** What happened, by its kind. */
export type NewEvent = {
  [Kind in EventKind]: { type: Kind; data: z.output<(typeof eventTable)[Kind]['data']> };
}[EventKind];

/** The body of every delivery of an event: its kind, when it happened, and what it is about. */
export const eventPayloads = new Map(eventKinds.map((kind) => [kind, payloadOf(kind)]));

/** The body of a delivery that was made by a test send of its own kind. */
export const testEventPayload = payloadOf(testEventKind);

/** What an event of this kind is about. */
export function eventDataOf(kind: EventKind | TestEventKind): z.ZodType {
  return eventTable[kind].data;
}

/** An example of what an event of this kind is about. */
export function sampleDataOf(kind: EventKind | TestEventKind): Record<string, unknown> {
  return eventTable[kind].sample.data;
}

function payloadOf(kind: EventKind | TestEventKind) {
  const { data, sample } = eventTable[kind];
  return z
    .object({
      type: z.literal(kind).describe('The kind of the event.'),
      timestamp: timestamp.describe('When it happened.'),
      data: data.describe('What the event is about.'),
    })
    .meta({
      id: `${pascalCase(kind)}Event`,
      description: `The body of a delivery of \`${kind}\`.`,
      examples: [{ type: kind, ...sample }],
    });
}

function pascalCase(kind: string): string {
  return kind.replaceAll(/(?:^|\.)\w/g, (start) => (start.at(-1) ?? '').toUpperCase());
}
