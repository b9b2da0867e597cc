import { areCidrsWithin } from '#lib/cidrs-within.ts';
import { scopesOfType } from '#lib/contract/api-keys/key-types.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { effectiveScopes, isWithinScopes } from '#lib/contract/api-keys/scopes.ts';
import { keyCallsPerMinute } from '../../limiter/limits.ts';
import type { LimitConfig } from '../../limiter/limits.ts';
import type { ApiKeyRow } from './store/keys.ts';
import type { ApiKeyWithTokens } from './store/keys-with-tokens.ts';
import type { TokenRow } from './store/tokens.ts';

/**
 * A key's reach. A key can only create, change, rotate or revoke keys whose reach is within its
 * own.
 */
export type Reach = Pick<
  ApiKeyRow,
  'type' | 'scopes' | 'expiresAt' | 'allowedCidrs' | 'rateLimitPerMinute'
>;

/** What a key may do: the scopes granted with what they imply, or all of its type. */
export function scopesOfKey(key: Pick<ApiKeyRow, 'type' | 'scopes'>): Scope[] {
  return effectiveScopes(key.scopes ?? scopesOfType(key.type));
}

export function isExpired(key: Pick<ApiKeyRow, 'expiresAt'>, now: Date): boolean {
  return key.expiresAt !== null && key.expiresAt <= now;
}

/** Whether the key is revoked or expired. */
export function hasEnded(key: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt !== null || isExpired(key, now);
}

/**
 * Whether a key has a token other than its first one. The first token has the same creation time as
 * the key, because one transaction creates both.
 *
 * @param tokens its newest token and those still valid, newest first
 */
export function isRotated({ key, tokens }: ApiKeyWithTokens): boolean {
  const [newest, previous] = tokens;
  return previous !== undefined || (newest !== undefined && newest.createdAt > key.createdAt);
}

/**
 * When a revoked or expired key ended. One that had expired before it was revoked ended when it was
 * revoked.
 */
export function endedAt(key: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>): Date {
  const end = key.revokedAt ?? key.expiresAt;
  if (end === null) throw new Error('the key is neither revoked nor does it expire');
  return end;
}

/**
 * Whether a token is valid at `now`: its grace period is not over, and its key is neither revoked
 * nor expired.
 */
export function isTokenValid(
  { key, token }: { key: ApiKeyRow; token: Pick<TokenRow, 'validUntil'> },
  now: Date,
): boolean {
  if (hasEnded(key, now)) return false;
  return token.validUntil === null || token.validUntil > now;
}

/**
 * Whether `inner` can do nothing that `outer` cannot: in scopes, lifetime, networks and rate limit.
 * A key without a list of scopes also gets every scope that is added to its type in future, and a
 * key with a list does not, so the former is only within another key without a list.
 */
export function isWithinReach(inner: Reach, outer: Reach, config: LimitConfig): boolean {
  if (inner.scopes === null && outer.scopes !== null) return false;
  return (
    isWithinScopes(scopesOfKey(inner), scopesOfKey(outer)) &&
    (outer.expiresAt === null ||
      (inner.expiresAt !== null && inner.expiresAt <= outer.expiresAt)) &&
    areCidrsWithin(inner.allowedCidrs, outer.allowedCidrs) &&
    keyCallsPerMinute(config, inner.rateLimitPerMinute) <=
      keyCallsPerMinute(config, outer.rateLimitPerMinute)
  );
}

/** A token that was shown to a person who has not confirmed having it, and that nobody has used. */
export type UnconfirmedToken = TokenRow & { unconfirmedSince: Date };

/**
 * Whether a token is unconfirmed. A token counts as confirmed when the person says that they have
 * it, or when a call is made with it.
 */
export function isUnconfirmed<Token extends Pick<TokenRow, 'unconfirmedSince' | 'firstUsedAt'>>(
  token: Token,
): token is Token & { unconfirmedSince: Date } {
  return token.unconfirmedSince !== null && token.firstUsedAt === null;
}

/** How many tokens of a key can be valid at a time. */
export const maxValidTokens = 20;

/** What a rotation does to a token that is valid before it. */
export type TokenAfterRotation = {
  token: TokenRow;
  /** Until when it stays valid; null if it ends at once. */
  validUntil: Date | null;
};

/** A rotation that can be carried out. */
export type DecidedRotation = {
  kind: 'rotate';
  /** Of every token that is valid before the rotation, newest first. */
  tokenOutcomes: TokenAfterRotation[];
  /** The newest token, if it is replaced at once because it is unconfirmed. */
  replacedUnused: TokenRow | null;
};

export type RotationPlan =
  | DecidedRotation
  /**
   * Too many tokens would be valid afterwards. `endFirst` is the older token that is likely to be
   * missed least.
   */
  | { kind: 'too_many'; endFirst: TokenRow };

/**
 * Decides which tokens stay valid when a key is rotated, and until when.
 *
 * The newest token stays valid for the grace period, and every older token keeps the deadline that
 * an earlier rotation gave it. If an older token is still valid and the newest is unconfirmed, the
 * newest is replaced at once: nobody is known to have it, and clients still depend on the older
 * token. A grace period of 0 ends all of them. No grace period outlives the key.
 *
 * @param tokens valid tokens of the key, newest first
 */
export function planRotation(
  tokens: readonly TokenRow[],
  {
    now,
    graceSeconds,
    keyExpiresAt,
  }: { now: Date; graceSeconds: number; keyExpiresAt: Date | null },
): RotationPlan {
  const [newest, ...older] = tokens;
  if (!newest || graceSeconds === 0) {
    return {
      kind: 'rotate',
      tokenOutcomes: tokens.map((token) => ({ token, validUntil: null })),
      replacedUnused: null,
    };
  }
  const kept = older.map((token) => ({ token, validUntil: tokenValidUntil(token, keyExpiresAt) }));
  if (older.length > 0 && isUnconfirmed(newest)) {
    return {
      kind: 'rotate',
      tokenOutcomes: [{ token: newest, validUntil: null }, ...kept],
      replacedUnused: newest,
    };
  }
  const [endFirst] = older.toSorted((a, b) => lastUse(a) - lastUse(b) || a.id - b.id);
  if (endFirst && tokens.length >= maxValidTokens) return { kind: 'too_many', endFirst };
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000);
  return {
    kind: 'rotate',
    tokenOutcomes: [{ token: newest, validUntil: earlier(graceEnd, keyExpiresAt) }, ...kept],
    replacedUnused: null,
  };
}

/** The token that was used last; undefined if none was used. */
export function lastUsedToken(tokens: readonly TokenRow[]): TokenRow | undefined {
  const used = tokens.filter(({ lastUsedAt }) => lastUsedAt !== null);
  return used.toSorted((a, b) => Number(b.lastUsedAt) - Number(a.lastUsedAt))[0];
}

/** When a token stops being valid: at its deadline, or when its key expires if that is sooner. */
export function tokenValidUntil(
  { validUntil }: Pick<TokenRow, 'validUntil'>,
  keyExpiresAt: Date | null,
): Date | null {
  return validUntil && earlier(validUntil, keyExpiresAt);
}

function earlier(end: Date, keyExpiresAt: Date | null): Date {
  return keyExpiresAt && keyExpiresAt < end ? keyExpiresAt : end;
}

/** A token that was never used sorts before all others. */
function lastUse({ lastUsedAt }: TokenRow): number {
  return lastUsedAt?.getTime() ?? 0;
}
