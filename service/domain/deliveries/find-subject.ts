import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { findDeliverySubject } from './store/delivery-pages.ts';
import type { DeliverySubject } from './store/delivery-pages.ts';

/**
 * The event or conversation of the actor's account that `about` names. A UUID can also be that of a
 * delivery or message: then it stands for their event. Null if nothing is found.
 */
export async function findSubject(
  ctx: Context,
  { accountId }: Actor,
  about: string,
): Promise<DeliverySubject | null> {
  const named = parseDeliverySubject(about);
  if (named === null) return null;
  // If no conversation has this id, no deliveries are found.
  if (named.kind === 'conversation id') return { conversationId: named.id };
  return await findDeliverySubject(ctx.db, accountId, named.uuid);
}
