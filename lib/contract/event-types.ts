import { z } from 'zod';
import { eventKinds, eventKindTable } from './event-kinds.ts';
import { success } from './fields.ts';
import { defineRoute } from './route.ts';

export const eventType = z
  .object({
    type: z.enum(eventKinds).describe('The kind, as `events` of a webhook names it.'),
    description: z.string().describe('What happened when an event of this kind is sent.'),
    schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (2020-12) of the body that is sent. New fields may be added to it.'),
    sample: z.record(z.string(), z.unknown()).describe('An example of the body.'),
  })
  .meta({
    id: 'EventType',
    description: 'A kind of event that a webhook can subscribe to.',
    examples: [
      {
        type: 'conversation.closed',
        description: eventKindTable['conversation.closed'],
        schema: { type: 'object' },
        sample: { type: 'conversation.closed' },
      },
    ],
  });

export type EventType = z.infer<typeof eventType>;

export const listEventTypes = defineRoute({
  name: 'listEventTypes',
  method: 'GET',
  path: '/api/v1/event-types',
  summary: 'List the event kinds a webhook can subscribe to',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  reply: { 200: success(z.array(eventType)) },
});
