import type { Tx } from '../../db/open.ts';
import { pauseLaneRow } from './store.ts';

/**
 * Freezes what is pending for a webhook, in the transaction that makes it inactive. Attempts under
 * way end and settle; whoever holds the lane hears of it at the commit.
 */
export async function pauseLane(tx: Tx, webhookId: number): Promise<void> {
  await pauseLaneRow(tx, webhookId);
}
