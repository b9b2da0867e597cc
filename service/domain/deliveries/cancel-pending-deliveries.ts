import type { Tx } from '../../db/open.ts';
import { lockLane } from '../lanes/statements/lanes.ts';
import { cancelPendingRows } from './store/deliveries.ts';

/** How many deliveries one call cancels: a fraction of a second of work. */
const maxRows = 5000;

/**
 * Cancels a batch of a webhook's pending deliveries: of all of them, or of those that one replay
 * queued. A delivery whose attempt is in progress may still arrive, and then counts as delivered.
 *
 * @returns how many were found, and whether there may be more
 */
export async function cancelPendingDeliveries(
  tx: Tx,
  webhook: { accountId: string; id: number },
  options: { replayUuid: string | null; now: Date },
): Promise<{ count: number; isMore: boolean }> {
  await lockLane(tx, webhook.id);
  const count = await cancelPendingRows(tx, webhook, { ...options, limit: maxRows });
  return { count, isMore: count === maxRows };
}
