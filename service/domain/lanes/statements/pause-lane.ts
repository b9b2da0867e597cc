import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { changedPrefix, laneChannel } from '../channel.ts';

/**
 * Freezes what is pending for a webhook, in the transaction that makes it inactive. Attempts that
 * have begun end and are settled; the worker that holds the lane is notified at the commit.
 */
export async function pauseLane(tx: Tx, webhookId: number): Promise<void> {
  await tx.update(lanes).set({ isPaused: true }).where(eq(lanes.webhookId, webhookId));
  await tx.execute(sql`select pg_notify(${laneChannel}, ${`${changedPrefix}${webhookId}`})`);
}
