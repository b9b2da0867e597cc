import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { findDeliverySubject } from './store/delivery-pages.ts';
import type { DeliverySubject } from './store/delivery-pages.ts';

/**
 * The event or conversation of the actor's account that `about` names: the one that has the UUID, or
 * the event of the delivery or message that has it; null if there is none.
 */
export async function findSubject(
  ctx: Context,
  { accountId }: Actor,
  about: string,
): Promise<DeliverySubject | null> {
  const named = parseDeliverySubject(about);
  if (named === null) return null;
  // An id that no conversation has finds nothing.
  if (named.kind === 'conversation id') return { conversationId: named.id };
  return await findDeliverySubject(ctx.db, accountId, named.uuid);
}
