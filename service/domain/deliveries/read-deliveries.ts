import type { z } from 'zod';
import type { listDeliveries as contract } from '#lib/contract/deliveries/deliveries.ts';
import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import { highestTotal, type DeliveryTotals } from '#lib/contract/deliveries/delivery-totals.ts';
import type { Delivery, DeliveryWithAttempts } from '#lib/contract/deliveries/delivery.ts';
import { maxFoundDeliveries } from '#lib/contract/deliveries/found-deliveries.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import type { Actor } from '../actor.ts';
import { refuseBrokenCursor } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { readPage } from '../read-page.ts';
import { largestBigId, parseResourceReference } from '../resource-reference.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { describeAttempt, describeDelivery } from './describe-delivery.ts';
import { findDeliveryRow, listAttemptRows, type DeliveryRow } from './store/deliveries.ts';
import {
  deliveriesOf,
  findDeliverySubject,
  listDeliveriesOf,
  listDeliveryRows,
  listNamed,
  type DeliverySubject,
  type Named,
  type NamedDeliveryRow,
} from './store/delivery-pages.ts';
import { countDeliveryTotals, listLatestFailures, type LatestFailure } from './store/statistics.ts';

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
  const page = {
    ...input,
    list: `deliveries/${webhook.id}`,
    all: deliveriesOf(webhook),
  } as const;
  const { rows, ...cursors } = await readPage(ctx.db, page, async (at, limit) => {
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

/**
 * The event or conversation of the actor's account that `about` names. A UUID can also be that of a
 * delivery or message: then it stands for their event. Null if nothing is found.
 */
async function findSubject(
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

/** What an id names, with its deliveries, newest event first. */
type FoundDeliveries = { what: Named['what']; deliveries: NamedDeliveryRow[] };

/** Everything of the account that a `webhook-id`, a UUID or an integer id names. */
export async function findNamed(
  { db }: Pick<Context, 'db'>,
  accountId: AccountId,
  id: string,
): Promise<Named[]> {
  const subject = parseDeliverySubject(id);
  if (subject === null) return [];
  const reference = subject.kind === 'uuid' ? subject : ({ kind: 'id', id: subject.id } as const);
  return await listNamed(db, accountId, reference);
}

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
  const all = await findNamed({ db }, accountId, id);
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

/** A delivery of the account with its attempts, the latest last. @throws ServiceError NOT_FOUND */
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
    cancelled: describeTotal(counts.cancelled),
    retention_days: ctx.config.retentionDays,
  };
}

function describeTotal(counted: number, { mayHaveMore = false } = {}) {
  return {
    count: Math.min(counted, highestTotal),
    has_more: mayHaveMore || counted > highestTotal,
  };
}

/** Why a webhook fails, and what waits for it. */
export type WebhookFailure = Omit<LatestFailure, 'webhookId'>;

/** As many waiting deliveries of a webhook are counted. */
const maxWaiting = 1000;

/** The latest failures of webhooks of any accounts, by the ids of the webhooks. */
export async function listFailuresOfWebhooks(
  db: Db,
  webhookIds: readonly number[],
): Promise<ReadonlyMap<number, WebhookFailure>> {
  const failures = await listLatestFailures(db, { webhookIds, maxWaiting });
  return new Map(failures.map(({ webhookId, ...failure }) => [webhookId, failure]));
}
