import { cancelReplay as contract, type Replay } from '#lib/contract/deliveries/replays.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { cancelPendingDeliveries } from '../deliveries/cancel-pending-deliveries.ts';
import { invalid, notFound } from '../errors.ts';
import { lockExistingWebhook } from '../webhooks/lock-webhook.ts';
import { describeReplay, findReplay } from './read-replays.ts';
import {
  cancelRunningReplays,
  countWaiting,
  lockReplay,
  updateReplayRow,
} from './store/replays.ts';

/**
 * Cancels a replay: it queues nothing more, and its pending deliveries are cancelled: the first
 * thousands at a time, the rest by workers within seconds. A replay that has queued everything can
 * be cancelled as long as some of its deliveries are pending.
 *
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR if nothing is left to cancel
 */
export async function cancelReplay(
  ctx: Context,
  actor: Actor,
  input: { replay: string },
): Promise<Replay> {
  const found = await findReplay(ctx, actor, input);

  return await ctx.db.transaction(async (tx) => {
    await confirmCaller(tx, actor, { ...contract.access, clock: ctx.clock });
    const webhook = await lockExistingWebhook(tx, actor.accountId, found.webhookId);
    const replay = await lockReplay(tx, found);
    if (!replay) throw notFound();
    const now = ctx.clock.now();
    const { count, isMore } = await cancelPendingDeliveries(tx, webhook, {
      replayUuid: replay.uuid,
      now,
    });
    if (replay.state !== 'running' && count === 0) {
      throw invalid('replay', 'This replay has ended: nothing is waiting to be sent.');
    }
    const ended = await updateReplayRow(tx, replay, {
      state: 'cancelled',
      // A worker cancels the rest, and sets the time when that is done.
      finishedAt: isMore ? null : now,
    });
    await recordAudit(tx, {
      actor,
      action: 'replay.cancelled',
      at: now,
      target: { kind: 'replay', id: replay.uuid, name: `Replay to ${webhook.name}` },
      changes: { queued: replay.done, total: replay.total },
    });
    return describeReplay(ended, await countWaiting(tx, ended));
  });
}

/** Cancels the running replays of a webhook that is deleted, or whose backlog is skipped. */
export async function endReplays(
  tx: Tx,
  { webhook, now }: { webhook: { accountId: string; id: number }; now: Date },
): Promise<void> {
  await cancelRunningReplays(tx, webhook, now);
}
