import type { NewEvent } from '#lib/contract/events/events.ts';

/** The event types that benches publish themselves. Each of their webhooks subscribes to one. */
export type ConversationEvent = 'conversation.closed' | 'conversation.created';

/** The payload of the event with this number in a run. The sink finds the number in it. */
export function payloadOf(
  number: number,
  type: ConversationEvent = 'conversation.closed',
): Extract<NewEvent, { type: ConversationEvent }> {
  const at = new Date().toISOString();
  return {
    type,
    data: {
      conversation: {
        id: 51,
        uuid: crypto.randomUUID(),
        subject: String(number),
        contact: null,
        status: 'closed',
        created_at: at,
        closed_at: at,
      },
    },
  };
}
