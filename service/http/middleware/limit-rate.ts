import type { Context } from '../../context.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { limitKeyOf, type Actor, type ApiKeyActor } from '../../domain/actor.ts';
import { overLimit } from '../../domain/errors.ts';
import { isKnownRequest } from '../../domain/idempotency/claim-request.ts';
import { refuseOverLimit } from '../../domain/refuse-over-limit.ts';
import type { LimitUse } from '../../limiter/limiter.ts';
import { keyCallsPerMinute } from '../../limiter/limits.ts';
import { subscriberOf } from '../../network/networks.ts';
import type { Call } from '../call.ts';
import { setRateLimitHeaders } from '../set-rate-limit-headers.ts';

/**
 * Counts the call against the limit of its key or person (`limitKey`, see `limitKeyOf`) and, if an
 * account is given, against the limit of all its keys together. The response states the
 * tighter of the two limits.
 *
 * @param options.ownLimit the key's own limit of calls a minute; null for a person or a key without
 *   one
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the whole seconds until both limits allow a call.
 */
export async function limitRate(
  ctx: Context,
  call: Call,
  {
    limitKey,
    account = null,
    ownLimit = null,
  }: { limitKey: string; account?: AccountId | null; ownLimit?: number | null },
): Promise<void> {
  const size = keyCallsPerMinute(ctx.config, ownLimit);
  const uses: LimitUse[] = [{ limit: 'call', key: limitKey, size }];
  if (account !== null) uses.push({ limit: 'account-call', key: account });
  await consume(ctx, call, uses);
}

/**
 * Counts a call with a key from outside its networks against a limit of this key and client
 * address, so that a leaked token takes nothing from the calls that come from the key's networks.
 * The limit is as high as the key's.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function limitRateOutsideNetworks(
  ctx: Context,
  call: Call,
  key: ApiKeyActor,
): Promise<void> {
  await consume(ctx, call, [
    {
      limit: 'call-outside-networks',
      key: `${limitKeyOf(key)}@${subscriberOf(call.origin.ip)}`,
      from: call.origin.ip,
      size: keyCallsPerMinute(ctx.config, key.rateLimitPerMinute),
    },
  ]);
}

async function consume(ctx: Context, call: Call, uses: LimitUse[]): Promise<void> {
  const state = await ctx.limiter.consume(uses);
  // A refusal carries the limit, and its response states it.
  if (!state.allowed) throw overLimit(state);
  setRateLimitHeaders(call, state);
}

/**
 * Counts an attempt to create a key or a webhook against the hourly limits of its key or person and
 * of their account. It runs after the checks of scope and shape, so that those refusals do not
 * count, and before the transaction, which never waits for the limiter. An attempt that the
 * transaction refuses, for example because of a quota, has counted. A repeat with the
 * `Idempotency-Key` of an earlier request creates nothing, so it does not count.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; the response states the limit that refused
 */
export async function limitCreations(
  ctx: Context,
  { actor, ...request }: { actor: Actor; route: string; key: string | null },
): Promise<void> {
  if (await isKnownRequest(ctx, actor, request)) return;
  await refuseOverLimit(ctx, [
    { limit: 'creation', key: limitKeyOf(actor) },
    { limit: 'account-creation', key: actor.accountId },
  ]);
}
