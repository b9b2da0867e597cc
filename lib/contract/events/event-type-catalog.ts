import { z } from 'zod';
import { eventDescriptionOf, eventTypes } from './events.ts';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

export const eventTypeEntry = z
  .object({
    type: z.enum(eventTypes).describe('The type, as in `events` of a webhook.'),
    description: z.string().describe('What happened when an event of this type is sent.'),
    schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (2020-12) of the body that is sent. New fields may be added to it.'),
    sample: z.record(z.string(), z.unknown()).describe('An example of the body.'),
  })
  .meta({
    id: 'EventTypeEntry',
    description: 'An event type that a webhook can subscribe to.',
    examples: [
      {
        type: 'conversation.closed',
        description: eventDescriptionOf('conversation.closed'),
        schema: { type: 'object' },
        sample: { type: 'conversation.closed' },
      },
    ],
  });

export type EventTypeEntry = z.infer<typeof eventTypeEntry>;

export const listEventTypes = defineRoute({
  name: 'listEventTypes',
  method: 'GET',
  path: '/api/v1/event-types',
  summary: 'List the event types a webhook can subscribe to',
  access: { scope: 'webhooks:read', act: 'webhooks.read' },
  query: z.strictObject({}),
  isConstant: true,
  response: { 200: success(z.array(eventTypeEntry)) },
});
