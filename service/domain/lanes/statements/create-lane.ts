import type { Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import type { AccountId } from '../../account-id.ts';

/** Creates the lane of a new webhook, in the transaction that creates the webhook. */
export async function createLane(
  tx: Tx,
  lane: { webhookId: number; accountId: AccountId; isPaused: boolean },
): Promise<void> {
  await tx.insert(lanes).values(lane);
}
