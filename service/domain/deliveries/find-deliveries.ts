import { maxFoundDeliveries } from '#lib/contract/deliveries/found-deliveries.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import type { Context } from '../../context.ts';
import type { AccountId } from '../account-id.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { describeDelivery } from './describe-delivery.ts';
import { listDeliveriesOf, listNamed } from './store/named-deliveries.ts';
import type { Named, NamedDeliveryRow } from './store/named-deliveries.ts';

/** What an id names, with its deliveries, newest event first. */
export type FoundDeliveries = { what: Named['what']; deliveries: NamedDeliveryRow[] };

/**
 * Finds deliveries in any webhook of an account by a `webhook-id`, or by the UUID or integer id of a
 * delivery, an event, a message or a conversation. Empty if nothing has this id; something without
 * deliveries is found as well.
 */
export async function findDeliveriesByName(
  { db }: Pick<Context, 'db'>,
  accountId: AccountId,
  { id, limit }: { id: string; limit: number },
): Promise<FoundDeliveries[]> {
  const subject = parseDeliverySubject(id);
  if (subject === null) return [];
  const reference = subject.kind === 'uuid' ? subject : ({ kind: 'id', id: subject.id } as const);
  const all = await listNamed(db, accountId, reference);
  return await Promise.all(
    all.map(async (named) => ({
      what: named.what,
      deliveries: await listDeliveriesOf(db, accountId, { named, limit }),
    })),
  );
}

/** The deliveries that an id finds in the actor's account. @throws ServiceError NOT_FOUND */
export async function findDeliveries(
  ctx: Context,
  actor: Actor,
  { delivery: id }: { delivery: string },
): Promise<Delivery[]> {
  const found = await findDeliveriesByName(ctx, actor.accountId, { id, limit: maxFoundDeliveries });
  if (found.length === 0) throw notFound();
  const rows = new Map(found.flatMap(({ deliveries }) => deliveries.map((row) => [row.id, row])));
  return [...rows.values()].slice(0, maxFoundDeliveries).map(describeDelivery);
}
