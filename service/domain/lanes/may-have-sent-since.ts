import type { Tx } from '../../db/open.ts';
import { lockLane } from './statements/lock-lane.ts';

/**
 * Whether an attempt to a webhook began at a moment or later, or may be under way now. Locks its
 * lane, so that none begins until the transaction ends.
 */
export async function mayHaveSentSince(
  tx: Tx,
  { webhookId, since }: { webhookId: number; since: Date },
): Promise<boolean> {
  const lane = await lockLane(tx, webhookId);
  if (!lane) return false;
  return lane.owner !== null || (lane.lastTriggeredAt !== null && lane.lastTriggeredAt >= since);
}
