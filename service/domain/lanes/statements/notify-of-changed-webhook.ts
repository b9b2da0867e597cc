import { sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { laneChannel, changedWebhookPrefix } from '../channel.ts';

/**
 * Notifies the worker that holds the lane, at the commit, that the webhook has another URL or
 * secret, or is paused or deleted: deliveries that the worker has read but not yet sent are out of
 * date.
 */
export async function notifyOfChangedWebhook(tx: Tx, webhookId: number): Promise<void> {
  await tx.execute(sql`select pg_notify(${laneChannel}, ${`${changedWebhookPrefix}${webhookId}`})`);
}
