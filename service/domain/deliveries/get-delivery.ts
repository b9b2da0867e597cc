import type { DeliveryWithAttempts } from '#lib/contract/deliveries/delivery.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { describeAttempt, describeDelivery } from './describe-delivery.ts';
import { findDelivery } from './find-delivery.ts';
import { listAttemptRows } from './store/deliveries.ts';

/**
 * One delivery of the actor's account with its attempts, the latest last.
 * @throws ServiceError NOT_FOUND
 */
export async function getDelivery(
  ctx: Context,
  actor: Actor,
  input: { delivery: string },
): Promise<DeliveryWithAttempts> {
  const delivery = await findDelivery(ctx, actor, input);
  const attempts = await listAttemptRows(ctx.db, delivery);
  return {
    ...describeDelivery(delivery),
    attempts: attempts.map((row) => describeAttempt(row, { sent: delivery, reader: actor })),
  };
}
