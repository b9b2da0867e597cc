import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/open.ts';
import {
  deactivateWebhook,
  lockForDeactivation,
  lockWebhooksOf,
  sendAnnounced,
  type Announced,
} from '../webhooks/deactivation/deactivate-webhook.ts';
import { isDueForDeactivation } from '../webhooks/rules.ts';
import {
  counterChangeOf,
  type LaneToComplete,
  type CompletedAttempt,
} from './completed-attempt.ts';
import { completeLaneRows, type CompletedLane } from './store/complete-statement.ts';

type CompleteContext = Pick<
  Context,
  'db' | 'clock' | 'log' | 'mail' | 'config' | 'laneNotifier' | 'effects' | 'tracing'
>;

type Completion = {
  owner: string;
  leaseMs: number;
  /** In the order in which they ended. */
  attempts: readonly CompletedAttempt[];
  /** All lanes of those attempts that are still held, and others to renew or to release. */
  lanes: readonly LaneToComplete[];
  /** Whether the owner is stopping. Then lanes are released even if new deliveries became due. */
  isLast: boolean;
};

/**
 * Stores attempts, updates their deliveries and the counters of their lanes, and renews or releases
 * lanes, in one statement. Only the holder of a lane's lease changes deliveries and counters: a
 * late attempt is stored without further effect, and an attempt of a deleted webhook is not stored.
 * A delivery that was cancelled in the meantime stays cancelled, unless the attempt delivered it.
 * Webhooks whose receiver responded with 410, or that failed for too long, are deactivated here.
 *
 * @returns the lanes that are, or until now were, held under the lease given
 */
export async function completeAttempts(
  ctx: CompleteContext,
  completion: Completion,
): Promise<CompletedLane[]> {
  const { db } = ctx;
  const gone = completion.attempts.filter(({ says }) => says === 'gone');
  const lanes =
    gone.length === 0
      ? await completeIn(db, ctx, completion)
      : await completeGone(ctx, { completion, gone });
  await deactivateFailing(ctx, { completion, lanes });
  return lanes;
}

/**
 * Runs after the completion: if it fails or the process dies, the next failed attempt repeats it.
 * It does not throw, because the caller would complete the same attempts again.
 */
async function deactivateFailing(
  ctx: CompleteContext,
  { completion, lanes }: { completion: Completion; lanes: readonly CompletedLane[] },
): Promise<void> {
  const failed = new Set(
    completion.attempts.filter(({ says }) => says === 'fails').map(({ webhookId }) => webhookId),
  );
  for (const lane of lanes) {
    if (!failed.has(lane.webhookId) || !isDueForDeactivation(lane, ctx.clock.now())) continue;
    try {
      await deactivateIfFailing(ctx, lane.webhookId);
    } catch (error) {
      ctx.log.error({ err: error, webhook_id: lane.webhookId }, 'webhook was not deactivated yet');
    }
  }
}

async function deactivateIfFailing(ctx: CompleteContext, webhookId: number): Promise<void> {
  const announced = await ctx.db.transaction(async (tx) => {
    const [webhook] = await lockForDeactivation(tx, [webhookId]);
    if (!webhook || !isDueForDeactivation(webhook, ctx.clock.now())) return null;
    return await deactivateWebhook(ctx, { tx, webhook, reason: 'failing' });
  });
  if (announced) sendAnnounced(ctx, announced);
}

/**
 * If the webhook's URL was replaced in the meantime, the attempt says nothing about the new URL:
 * the webhook stays active, and the delivery is sent to the new URL. Webhooks are locked before
 * lanes, as everywhere: the other order could deadlock.
 */
async function completeGone(
  ctx: CompleteContext,
  { completion, gone }: { completion: Completion; gone: readonly CompletedAttempt[] },
): Promise<CompletedLane[]> {
  const { lanes, announced } = await ctx.db.transaction(async (tx) => {
    const webhooks = await lockWebhooksOf(
      tx,
      gone.map(({ webhookId }) => webhookId),
    );
    const urls = new Map(webhooks.map(({ id, url }) => [id, url]));
    const isOutdated = ({ webhookId, url }: CompletedAttempt) =>
      (urls.get(webhookId) ?? url) !== url;
    const attempts = completion.attempts.map((attempt): CompletedAttempt =>
      attempt.says === 'gone' && isOutdated(attempt)
        ? { ...attempt, becomes: { status: 'pending', dueAt: ctx.clock.now() } }
        : attempt,
    );
    const completed = await completeIn(tx, ctx, { ...completion, attempts });
    const heldIds = new Set(completed.map(({ webhookId }) => webhookId));
    const leases = new Map(completion.lanes.map(({ webhookId, lease }) => [webhookId, lease]));
    // The lane of an attempt may have been lost, and claimed again under another lease.
    const isLate = ({ webhookId, lease }: CompletedAttempt) => lease !== leases.get(webhookId);
    const goneIds = new Set(
      gone
        .filter((attempt) => !isOutdated(attempt) && !isLate(attempt))
        .map(({ webhookId }) => webhookId),
    );
    const deactivated: Announced[] = [];
    for (const webhook of webhooks) {
      if (!webhook.isActive || !heldIds.has(webhook.id) || !goneIds.has(webhook.id)) continue;
      deactivated.push(await deactivateWebhook(ctx, { tx, webhook, reason: 'gone' }));
    }
    return { lanes: completed, announced: deactivated };
  });
  for (const each of announced) sendAnnounced(ctx, each);
  return lanes;
}

async function completeIn(
  db: Db | Tx,
  { clock }: Pick<Context, 'clock'>,
  { owner, leaseMs, attempts, lanes, isLast }: Completion,
): Promise<CompletedLane[]> {
  const now = clock.now();
  const attemptsOf = Map.groupBy(attempts, (attempt) => `${attempt.webhookId} ${attempt.lease}`);
  return await completeLaneRows(db, {
    owner,
    now,
    leaseEnd: new Date(now.getTime() + leaseMs),
    isLast,
    attempts,
    lanes: lanes.map((lane) => ({
      ...lane,
      ...counterChangeOf(attemptsOf.get(`${lane.webhookId} ${lane.lease}`) ?? [], now),
    })),
  });
}
