import type { z } from 'zod';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import type { listDeliveries as contract } from '#lib/contract/deliveries/deliveries.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { refuseBrokenCursor } from '../cursor.ts';
import { readPage } from '../read-page.ts';
import { findWebhook } from '../webhooks/find-webhook.ts';
import { describeDelivery } from './describe-delivery.ts';
import { findSubject } from './find-subject.ts';
import { listDeliveryRows } from './store/delivery-pages.ts';

/**
 * A page of a webhook's deliveries, newest first, or those since the client last read them.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listDeliveries(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof contract.query>,
): Promise<{ deliveries: Delivery[]; nextCursor: string | null; followCursor?: string }> {
  const { status, retried, replayed, type, about, since, until } = input;
  refuseBrokenCursor('deliveries', input);
  const webhook = await findWebhook(ctx, actor, input);
  const subject = about === undefined ? undefined : await findSubject(ctx, actor, about);
  const list = `deliveries/${webhook.id}` as const;
  const { rows, ...cursors } = await readPage(ctx.db, { ...input, list }, async (at, limit) => {
    if (subject === null) return [];
    const filter = {
      status,
      retried,
      replayed,
      type,
      subject,
      statusCode: input.status_code,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    };
    const read = () => listDeliveryRows(ctx.db, webhook, { ...filter, at, limit });
    return await (mightReadAll(input) ? ctx.heavyReads.run(actor.accountId, read) : read());
  });
  return { deliveries: rows.map(describeDelivery), ...cursors };
}

/**
 * Whether a page might need to read all deliveries of the webhook, if few of them match. Other
 * filters have an index that contains only what matches, or that is in the order of time.
 */
function mightReadAll({
  status,
  retried,
  replayed,
  type,
  about,
  status_code: statusCode,
  follow,
}: z.output<typeof contract.query>): boolean {
  if (type !== undefined || retried === false || replayed === false) return true;
  if (status === 'delivered' || status === 'cancelled') return true;
  // Those indexes are in the order of times, in which rows need not be committed.
  const isFiltered = [status, retried, replayed, about, statusCode].some(
    (given) => given !== undefined,
  );
  return follow !== undefined && isFiltered;
}
