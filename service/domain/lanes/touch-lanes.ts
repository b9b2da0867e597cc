import type { Context } from '../../context.ts';

/**
 * Notifies the workers that deliveries came due for these webhooks. To be called once the
 * transaction that queued it has committed: inside it, the publishers of a busy webhook would wait
 * for one another. Returns at once; what goes wrong is logged, and repaired by the sweep.
 */
export function touchLanes(ctx: Context, webhookIds: readonly number[]): void {
  ctx.laneTouches.add(webhookIds);
}
