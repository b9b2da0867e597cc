import type { Tx } from '../../db/open.ts';
import { cancelRunningReplays } from './store/replays.ts';

/**
 * Cancels the running replays of a webhook, because it is deleted or its backlog is to be skipped.
 */
export async function endReplays(
  tx: Tx,
  webhook: { accountId: string; id: number },
  now: Date,
): Promise<void> {
  await cancelRunningReplays(tx, webhook, now);
}
