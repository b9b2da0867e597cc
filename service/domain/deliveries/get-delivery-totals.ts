import { highestTotal } from '#lib/contract/deliveries/delivery-totals.ts';
import type { DeliveryTotals } from '#lib/contract/deliveries/delivery-totals.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { findWebhook } from '../webhooks/find-webhook.ts';
import { countDeliveryTotals } from './store/delivery-totals.ts';

/** How many deliveries a webhook has, by status. @throws ServiceError NOT_FOUND */
export async function getDeliveryTotals(
  ctx: Context,
  actor: Actor,
  input: { webhook: string },
): Promise<DeliveryTotals> {
  const webhook = await findWebhook(ctx, actor, input);
  // One more than the highest count that is shown tells whether there are more.
  const counts = await countDeliveryTotals(ctx.db, webhook, highestTotal + 1);
  const isAllCounted = counts.all <= highestTotal;
  return {
    all: describeTotal(counts.all),
    pending: describeTotal(counts.pending),
    waiting: describeTotal(counts.waiting),
    // Counted only among the newest deliveries, so that the count stays cheap if few of very many
    // match.
    delivered: describeTotal(counts.delivered, { mayHaveMore: !isAllCounted }),
    retried: describeTotal(counts.retried),
    failed: describeTotal(counts.failed),
    retention_days: ctx.config.retentionDays,
  };
}

function describeTotal(counted: number, { mayHaveMore = false } = {}) {
  return {
    count: Math.min(counted, highestTotal),
    has_more: mayHaveMore || counted > highestTotal,
  };
}
