import { mintAccountId } from '../../account-id.ts';
import type { ApiKeyActor, Origin } from '../../actor.ts';
import type { Context } from '../../../context.ts';
import { isAddressAllowed, isTokenAccepted, scopesOfKey, tokenValidUntil } from '../rules.ts';
import { findTokenByDigest } from '../store/tokens.ts';
import type { TokenRecord } from '../store/tokens.ts';
import { refuseAsUnavailable } from '../../capacity/workload.ts';
import { subscriberOf } from '../../../network/networks.ts';
import { digestToken, isWellFormedToken } from '../../../tokens/token.ts';

/** A valid token, for `recordUse`. */
export type UsedToken = TokenRecord;

/**
 * `refused`: the token is malformed, unknown, revoked, expired or past its grace period, or its key
 * is paused. `refusedToken` is the token, if it belongs or belonged to a key.
 */
type TokenVerdict =
  | { kind: 'actor'; actor: ApiKeyActor; token: UsedToken }
  | { kind: 'refused'; refusedToken: TokenRecord | null }
  | { kind: 'address_not_allowed'; actor: ApiKeyActor };

/**
 * Finds the caller to whom a token belongs. The digest is looked up through the key cache; whether
 * the token is valid now, and from this address, is decided on every call.
 *
 * @param options.needsSlot whether the call counts towards the calls that its account may have in
 *   progress
 * @throws ServiceError UNAVAILABLE if too many look-ups of unknown tokens wait for this address, or
 *   if the account has no slot for the call and the token would have to be read again
 */
export async function authenticateToken(
  ctx: Context,
  { token, origin, needsSlot = false }: { token: string; origin: Origin; needsSlot?: boolean },
): Promise<TokenVerdict> {
  const digest = digestToken(token);
  const found = ctx.keyCache.find(digest, async (isKnown) => {
    if (!isWellFormedToken(token)) return null;
    const lookUp = () => findTokenByDigest(ctx.db, digest);
    return isKnown ? await lookUp() : await ctx.tokenLookUps.run(subscriberOf(origin.ip), lookUp);
  });
  if (found instanceof Promise && needsSlot) await refuseWithoutSlot(ctx, { digest, found });
  const record = found instanceof Promise ? await found : found;
  if (!record) return { kind: 'refused', refusedToken: null };
  if (!isTokenAccepted(record, ctx.clock.now())) return { kind: 'refused', refusedToken: record };

  const actor = actorOf(record, origin);
  if (!isAddressAllowed(origin.ip, record.key.allowedCidrs)) {
    return { kind: 'address_not_allowed', actor };
  }
  return { kind: 'actor', actor, token: record };
}

/**
 * Remembers a call that no rate limit refused: refused calls must not create rows in the database.
 * @returns a promise if the call has to wait until its use is written, else null
 */
export function recordUse(
  ctx: Context,
  token: UsedToken,
  { ip, userAgent }: Origin,
): Promise<void> | null {
  return ctx.usage.record(token, { ip, userAgent });
}

/**
 * Refuses the call if its account already has the maximum of calls in progress, before its token is
 * read again: otherwise the refusal would wait behind the statements of all these calls.
 */
async function refuseWithoutSlot(
  ctx: Context,
  { digest, found }: { digest: Buffer; found: Promise<TokenRecord | null> },
): Promise<void> {
  const outdated = ctx.keyCache.outdated(digest);
  if (!outdated || ctx.workload.hasFree(mintAccountId(outdated.key.accountId))) return;
  // The read continues for the calls that follow. If it fails, they read the token again.
  found.catch(() => undefined);
  await refuseAsUnavailable();
}

function actorOf({ key, token }: TokenRecord, origin: Origin): ApiKeyActor {
  return {
    kind: 'api_key',
    accountId: mintAccountId(key.accountId),
    origin,
    keyId: key.id,
    keyUuid: key.uuid,
    keyName: key.name,
    tokenId: token.id,
    scopes: scopesOfKey(key),
    rateLimitPerMinute: key.rateLimitPerMinute,
    endsAt: tokenValidUntil(token, key.expiresAt) ?? key.expiresAt,
    isInGrace: token.validUntil !== null,
  };
}
