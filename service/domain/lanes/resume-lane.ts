import type { Tx } from '../../db/open.ts';
import { resumeLaneRow } from './store.ts';

/**
 * Lets deliveries go again, in the transaction that activates the webhook, with its failures
 * forgotten. Workers hear of it at the commit.
 */
export async function resumeLane(tx: Tx, lane: { webhookId: number; now: Date }): Promise<void> {
  await resumeLaneRow(tx, lane);
}
