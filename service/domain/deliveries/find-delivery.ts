import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { findDeliveryRow } from './store/deliveries.ts';
import type { DeliveryRow } from './store/delivery-rows.ts';

/**
 * A delivery of the actor's account with the payload of its event. Deliveries of a deleted webhook
 * are not found.
 * @throws ServiceError NOT_FOUND
 */
export async function findDelivery(
  ctx: Context,
  actor: Actor,
  input: { delivery: string },
): Promise<DeliveryRow & { payload: string }> {
  const reference = parseResourceReference(input.delivery, largestBigId);
  const row = reference && (await findDeliveryRow(ctx.db, actor.accountId, reference));
  if (!row) throw notFound();
  return row;
}
