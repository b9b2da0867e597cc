import { eq } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';

/**
 * Locks a lane: nothing in it is claimed or settled until the transaction ends. For changes of many
 * deliveries of a webhook, because a settlement locks their rows in another order.
 */
export async function lockLane(
  tx: Tx,
  webhookId: number,
): Promise<Pick<typeof lanes.$inferSelect, 'owner' | 'lastTriggeredAt'> | null> {
  const [lane] = await tx
    .select({ owner: lanes.owner, lastTriggeredAt: lanes.lastTriggeredAt })
    .from(lanes)
    .where(eq(lanes.webhookId, webhookId))
    .for('update');
  return lane ?? null;
}
