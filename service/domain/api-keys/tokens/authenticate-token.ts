import { mintAccountId } from '../../account-id.ts';
import type { ApiKeyActor, Origin } from '../../actor.ts';
import type { Context } from '../../../context.ts';
import { isAddressAllowed } from '../cidrs.ts';
import { isTokenValid, scopesOfKey } from '../rules.ts';
import { findTokenByDigest } from '../store/tokens.ts';
import type { TokenRecord } from '../store/tokens.ts';
import { digestToken, isWellFormedToken } from '../../../token.ts';

/** `refused` is one outcome for malformed, unknown, revoked, expired and past its grace alike. */
export type TokenVerdict =
  | { kind: 'actor'; actor: ApiKeyActor }
  | { kind: 'refused' }
  | { kind: 'address_not_allowed'; actor: ApiKeyActor };

/**
 * Who calls with this token. The digest is looked up through the key cache; whether the token is
 * valid now, and from this address, is judged on every call.
 */
export async function authenticateToken(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<TokenVerdict> {
  if (!isWellFormedToken(token)) return { kind: 'refused' };
  const record = await ctx.keyCache.find(digestToken(token), (digest) =>
    findTokenByDigest(ctx.db, digest),
  );
  if (!record || !isTokenValid(record, ctx.clock.now())) return { kind: 'refused' };

  const actor = actorOf(record, origin);
  if (!isAddressAllowed(origin.ip, record.key.allowedCidrs)) {
    return { kind: 'address_not_allowed', actor };
  }
  await ctx.usage.record(record, { ip: origin.ip, userAgent: origin.userAgent });
  return { kind: 'actor', actor };
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
    endsAt: token.validUntil ?? key.expiresAt,
  };
}
