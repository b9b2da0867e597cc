import type { NewEvent } from '#lib/contract/events.ts';

/** The event of a run with this number, which the sink finds in it. */
export function payloadOf(number: number): Extract<NewEvent, { type: 'conversation.closed' }> {
  const at = new Date().toISOString();
  return {
    type: 'conversation.closed',
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
