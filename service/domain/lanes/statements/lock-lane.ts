import { eq } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';

/**
 * Locks a lane: until the transaction ends nothing is claimed or settled in it. For what changes many
 * deliveries of a webhook, whose rows a settlement locks in another order.
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
