import type { Tx } from '../../db/open.ts';
import { cancelRunningReplays } from './store.ts';

/** Lets no replay queue any more for a webhook: it is deleted, or its backlog is to be skipped. */
export async function endReplays(
  tx: Tx,
  webhook: { accountId: string; id: number },
  now: Date,
): Promise<void> {
  await cancelRunningReplays(tx, webhook, now);
}
