import { createHash } from 'node:crypto';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { invalid } from '../errors.ts';
import { removeInBatches, type PauseBetweenBatches } from '../in-batches.ts';
import {
  claimResponse,
  deleteResponsesBefore,
  findResponse,
  keepResponse,
  type RequestName,
} from './store.ts';

/** How long a request is remembered by its `Idempotency-Key`: 24 hours. */
const rememberedForMs = dayMs;

/** A request that may be repeated: its `Idempotency-Key` if it has one, route and content. */
export type RepeatableRequest = { key: string | null; route: string; request: unknown };

/** An earlier request with the same `Idempotency-Key`, and what was stored for it. */
export type EarlierRequest<Kept> = { kept: Kept; at: Date; isSameRequest: boolean };

/** A transaction's claim on the `Idempotency-Key` of its request. */
export type Claim<Kept> = {
  /** Null if this is the first request with its key, or if it has no key. */
  earlier: EarlierRequest<Kept> | null;
  /** Stores something for a repeat of the request. */
  keep: (kept: Kept) => Promise<void>;
};

/**
 * Claims the `Idempotency-Key` of a request in the transaction that acts. Concurrent requests with
 * the same key wait for the first, and then find what it stored. After a crash, both the act and
 * the stored result exist, or neither does.
 */
export async function claimRequest<Kept>(
  tx: Tx,
  actor: Actor,
  { key, route, request, now }: RepeatableRequest & { now: Date },
): Promise<Claim<Kept>> {
  if (key === null) return { earlier: null, keep: async () => undefined };

  const name = nameOf(actor, { route, key });
  const requestDigest = createHash('sha256').update(JSON.stringify(request)).digest();
  const oldest = new Date(now.getTime() - rememberedForMs);
  const keep = (kept: Kept) => keepResponse(tx, name, kept);

  if (await claimResponse(tx, name, { requestDigest, now, oldest })) return { earlier: null, keep };
  const found = await findResponse(tx, name);
  if (!found) throw new Error('a locked response is missing');
  const isSameRequest = found.requestDigest.equals(requestDigest);
  // This function stored it for the same route, so it has the route's shape.
  return { earlier: { kept: found.response as Kept, at: found.createdAt, isSameRequest }, keep };
}

/** Whether a request with the same `Idempotency-Key` is known; not yet while it is in progress. */
export async function isKnownRequest(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { key, route }: Pick<RepeatableRequest, 'key' | 'route'>,
): Promise<boolean> {
  if (key === null) return false;
  const found = await findResponse(ctx.db, nameOf(actor, { route, key }));
  return found !== null && found.createdAt.getTime() > ctx.clock.now().getTime() - rememberedForMs;
}

function nameOf(actor: Actor, request: { route: string; key: string }): RequestName {
  const caller = actor.kind === 'api_key' ? `key:${actor.keyId}` : `person:${actor.personId}`;
  return { accountId: actor.accountId, caller, ...request };
}

/** The error for a different request with a known key. */
export function reusedKeyError(): Error {
  return repeatError(
    'This Idempotency-Key was used for another request in the last 24 hours. Use a new one.',
  );
}

export function repeatError(message: string): Error {
  return invalid('Idempotency-Key', message, 'idempotency_key');
}

/**
 * Acts in a transaction, once per `Idempotency-Key`. If the same request is repeated within 24
 * hours, it gets the first response again and nothing else happens; the response is stored in the
 * same transaction as the act. Responses with a token or secret may not be stored, so use
 * `refuseUnfitRepeat` for those. Without a key, the function just acts.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` if the key was used for another
 *   request
 */
export async function runOnce<Result>(
  ctx: Context,
  actor: Actor,
  request: RepeatableRequest & { act: (tx: Tx) => Promise<Result> },
): Promise<Result> {
  const now = ctx.clock.now();
  return await ctx.db.transaction(async (tx) => {
    const { earlier, keep } = await claimRequest<Result>(tx, actor, { ...request, now });
    if (earlier) {
      if (!earlier.isSameRequest) throw reusedKeyError();
      return earlier.kept;
    }
    const result = await request.act(tx);
    await keep(result);
    return result;
  });
}

/** How long a request that makes a token or secret can be repeated after its response. */
const repeatableMs = 600_000;

/**
 * Refuses the repeat of a request that makes a token or secret if the request differs or comes too
 * late. Responses with a token or secret are not stored: the repeated request replaces the token or
 * secret, if it is unused.
 *
 * @param advice how to get another token or secret instead
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key`
 */
export function refuseUnfitRepeat(
  { at, isSameRequest }: Pick<EarlierRequest<unknown>, 'at' | 'isSameRequest'>,
  { now, advice }: { now: Date; advice: string },
): void {
  if (!isSameRequest) throw reusedKeyError();
  if (now.getTime() - at.getTime() < repeatableMs) return;
  throw repeatError(
    `The response to this request was sent at ${formatApiTime(at)}, and the request could be repeated for 10 minutes. ${advice}`,
  );
}

/** Removes the stored results of requests that are older than 24 hours. */
export async function deleteOldResponses(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  rest: PauseBetweenBatches,
): Promise<void> {
  const oldest = new Date(clock.now().getTime() - rememberedForMs);
  await removeInBatches(rest, (limit) => deleteResponsesBefore(db, oldest, limit));
}
