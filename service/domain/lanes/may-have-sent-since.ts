import type { Tx } from '../../db/open.ts';
import { lockLane } from './statements/lock-lane.ts';

/**
 * Whether an attempt to a webhook began at or after a moment, or may be in progress now. Locks its
 * lane, so that no attempt begins until the transaction ends.
 */
export async function mayHaveSentSince(
  tx: Tx,
  { webhookId, since }: { webhookId: number; since: Date },
): Promise<boolean> {
  const lane = await lockLane(tx, webhookId);
  if (!lane) return false;
  return lane.owner !== null || (lane.lastTriggeredAt !== null && lane.lastTriggeredAt >= since);
}
