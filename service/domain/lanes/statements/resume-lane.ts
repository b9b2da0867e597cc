import { eq, isNotNull, sql } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { changedLanesPrefix, lanesDueMessage, laneChannel } from '../channel.ts';

/**
 * Resumes a webhook's deliveries and resets its failures, in the transaction that activates the
 * webhook. Workers are notified at the commit.
 */
export async function resumeLane(
  tx: Tx,
  { webhookId, now }: { webhookId: number; now: Date },
): Promise<void> {
  await tx
    .update(lanes)
    .set({
      isPaused: false,
      isDirty: isNotNull(lanes.owner),
      wakeAt: sql`case when ${lanes.owner} is null then ${sqlInstant(now)} else ${lanes.wakeAt} end`,
      failureCount: 0,
      failingSince: null,
      warningCount: 0,
    })
    .where(eq(lanes.webhookId, webhookId));
  await tx.execute(sql`
    select pg_notify(${laneChannel}, ${lanesDueMessage}),
      pg_notify(${laneChannel}, ${`${changedLanesPrefix}${webhookId}`})`);
}
