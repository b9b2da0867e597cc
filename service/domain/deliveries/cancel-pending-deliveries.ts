import type { Tx } from '../../db/open.ts';
import { lockLane } from '../lanes/statements/lock-lane.ts';
import { cancelPendingRows } from './store/deliveries.ts';

/** As many as are changed in a fraction of a second, whatever waits behind them. */
const maxConcurrent = 5000;

/**
 * Cancels a batch of what waits to be sent to a webhook: of all of it, or of what one replay
 * queued. What is being sent just now may still arrive, and then counts as delivered.
 *
 * @returns how many were found, and whether there may be more
 */
export async function cancelPendingDeliveries(
  tx: Tx,
  webhook: { accountId: string; id: number },
  about: { replayUuid: string | null; now: Date },
): Promise<{ count: number; isMore: boolean }> {
  await lockLane(tx, webhook.id);
  const count = await cancelPendingRows(tx, webhook, { ...about, limit: maxConcurrent });
  return { count, isMore: count === maxConcurrent };
}
