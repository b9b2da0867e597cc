import type { Tx } from '../../db/open.ts';
import { lockLaneRow } from './store.ts';

/**
 * Lets no attempt be settled until the transaction ends: for what changes many deliveries of a
 * webhook, whose rows a settlement locks in another order.
 */
export async function lockLane(tx: Tx, webhookId: number): Promise<void> {
  await lockLaneRow(tx, webhookId);
}
