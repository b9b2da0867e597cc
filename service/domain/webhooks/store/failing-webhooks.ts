import { and, asc, eq, gte, isNotNull, lte, or, sql } from 'drizzle-orm';
import { failingFrom } from '#lib/contract/webhooks/failing.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';

/** Up to `limit` active webhooks of all accounts that began to fail and are not announced yet. */
export async function listUnannouncedFailing(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: number }[]> {
  return await db
    .select({ id: webhooks.id })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .where(
      and(isUnannounced(now), eq(webhooks.isActive, true), isAccountNotDeleted(webhooks.accountId)),
    )
    .orderBy(asc(lanes.failingSince))
    .limit(limit);
}

/**
 * Records that a failing webhook is announced; null if another process did so, or the webhook works
 * again. Locks the lane; the caller must have locked the webhook.
 */
export async function claimFailing(
  tx: Tx,
  webhookId: number,
  now: Date,
): Promise<{ failingSince: Date; failureCount: number } | null> {
  const [lane] = await tx
    .update(lanes)
    .set({ failingAnnouncedFor: sql`${lanes.failingSince}` })
    .where(and(eq(lanes.webhookId, webhookId), isUnannounced(now)))
    .returning({ failingSince: lanes.failingSince, failureCount: lanes.failureCount });
  return lane?.failingSince ? { ...lane, failingSince: lane.failingSince } : null;
}

/** The first two conditions are those of the index. */
function isUnannounced(now: Date) {
  return and(
    sql`${lanes.failingSince} is distinct from ${lanes.failingAnnouncedFor}`,
    isNotNull(lanes.failingSince),
    or(
      gte(lanes.failureCount, failingFrom.attempts),
      lte(lanes.failingSince, new Date(now.getTime() - failingFrom.ms)),
    ),
  );
}
