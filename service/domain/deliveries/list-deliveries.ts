import type { z } from 'zod';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import type { listDeliveries as contract } from '#lib/contract/deliveries/deliveries.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor, refuseBrokenCursor, writeCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { findWebhook } from '../webhooks/find-webhook.ts';
import { describeDelivery } from './describe-delivery.ts';
import { findSubject } from './find-subject.ts';
import { listDeliveryRows } from './store/delivery-pages.ts';

/**
 * A page of a webhook's deliveries, newest event first.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listDeliveries(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof contract.query>,
): Promise<{ deliveries: Delivery[]; nextCursor: string | null }> {
  const { status, retried, type, about, since, until, after, cursor, limit } = input;
  refuseBrokenCursor('deliveries', cursor);
  const webhook = await findWebhook(ctx, actor, input);
  const list = `deliveries/${webhook.id}` as const;
  const before = readCursor(list, cursor);
  const subject = about === undefined ? undefined : await findSubject(ctx, actor, about);
  if (subject === null) return { deliveries: [], nextCursor: null };
  const read = () =>
    listDeliveryRows(ctx.db, webhook, {
      status,
      retried,
      type,
      subject,
      statusCode: input.status_code,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      after,
      before,
      limit: limit + 1,
    });
  const found = mightReadAll(input)
    ? await ctx.heavyReads.run(actor.accountId, read)
    : await read();
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => writeCursor(list, id));
  return { deliveries: rows.map(describeDelivery), nextCursor };
}

/**
 * Whether a page might need to read all deliveries of the webhook, if few of them match. Other
 * filters have an index that contains only what matches, or that is in the order of time.
 */
function mightReadAll({
  status,
  retried,
  type,
  about,
  status_code: statusCode,
  after,
}: z.output<typeof contract.query>): boolean {
  if (type !== undefined || retried === false) return true;
  if (status === 'delivered' || status === 'cancelled') return true;
  // The indexes are in the order of events, which is not that of deliveries.
  const isFiltered = [status, retried, about, statusCode].some((given) => given !== undefined);
  return after !== undefined && isFiltered;
}
