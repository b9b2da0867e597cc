import type { EventType } from '#lib/contract/events/events.ts';
import type { Tx } from '../../db/open.ts';
import { listPendingTypes as listTypes } from './store/deliveries.ts';

/** Which of these event types the pending deliveries of a webhook have. */
export async function listPendingTypes(
  tx: Tx,
  webhook: { accountId: string; id: number },
  types: readonly EventType[],
): Promise<EventType[]> {
  return await listTypes(tx, webhook, types);
}
