import { z } from 'zod';
import { eventKinds, eventKindTable } from './event-kinds.ts';
import { success } from './fields.ts';
import { defineRoute } from './route.ts';

export const eventType = z
  .object({
    type: z.enum(eventKinds),
    description: z.string(),
    schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (2020-12) of what a receiver is sent.'),
    sample: z.record(z.string(), z.unknown()).describe('An example of it.'),
  })
  .meta({
    id: 'EventType',
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
