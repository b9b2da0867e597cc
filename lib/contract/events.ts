import { z } from 'zod';
import { conversation, message } from './conversations.ts';
import { eventKinds } from './event-kinds.ts';
import type { EventKind } from './event-kinds.ts';
import { timestamp } from './fields.ts';
import { sampleClosedConversation, sampleConversation, sampleMessage } from './samples.ts';

const { id, uuid, subject, status } = sampleConversation;

/** What each kind of event carries as `data`, and when and with what the sample happened. */
const eventTable = {
  'message.created': {
    data: z.object({
      message,
      conversation: conversation.pick({ id: true, uuid: true, subject: true, status: true }),
    }),
    sample: {
      timestamp: sampleMessage.created_at,
      data: { message: sampleMessage, conversation: { id, uuid, subject, status } },
    },
  },
  'conversation.created': {
    data: z.object({ conversation }),
    sample: {
      timestamp: sampleConversation.created_at,
      data: { conversation: sampleConversation },
    },
  },
  'conversation.closed': {
    data: z.object({ conversation }),
    sample: {
      timestamp: sampleClosedConversation.closed_at,
      data: { conversation: sampleClosedConversation },
    },
  },
} satisfies Record<EventKind, { data: z.ZodType; sample: object }>;

/** What happened, by its kind. */
export type NewEvent = {
  [Kind in EventKind]: { type: Kind; data: z.output<(typeof eventTable)[Kind]['data']> };
}[EventKind];

/** The body of every delivery of an event: its kind, when it happened, and what it is about. */
export const eventPayloads = new Map(eventKinds.map((kind) => [kind, payloadOf(kind)]));

function payloadOf(kind: EventKind) {
  const { data, sample } = eventTable[kind];
  return z
    .object({ type: z.literal(kind), timestamp: timestamp.describe('When it happened.'), data })
    .meta({ id: `${pascalCase(kind)}Event`, examples: [{ type: kind, ...sample }] });
}

function pascalCase(kind: EventKind): string {
  return kind.replaceAll(/(?:^|\.)\w/g, (start) => (start.at(-1) ?? '').toUpperCase());
}
