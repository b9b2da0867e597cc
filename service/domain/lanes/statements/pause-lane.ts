import { eq } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { notifyOfChangedWebhook } from './notify-of-changed-webhook.ts';

/**
 * Pauses a webhook's pending deliveries, in the transaction that makes the webhook inactive.
 * Attempts in progress end and are settled. The worker that holds the lane is notified at the
 * commit.
 */
export async function pauseLane(tx: Tx, webhookId: number): Promise<void> {
  await tx.update(lanes).set({ isPaused: true }).where(eq(lanes.webhookId, webhookId));
  await notifyOfChangedWebhook(tx, webhookId);
}
