import type { RecordedEvent } from '#lib/contract/events/recorded-events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { EventRow } from './store.ts';

/** An event as it was recorded. Its data is left out unless `withData`. */
export function describeEvent(event: EventRow, { withData }: { withData: boolean }): RecordedEvent {
  return {
    id: event.id,
    uuid: event.uuid,
    type: event.type,
    data: withData ? dataOf(event.payload) : null,
    created_at: formatApiTime(event.createdAt),
    conversation_id: event.conversationId,
  };
}

/** The service wrote the payload, so it is an object with `data`. */
function dataOf(payload: string): Record<string, unknown> {
  return (JSON.parse(payload) as { data: Record<string, unknown> }).data;
}
