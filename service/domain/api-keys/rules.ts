import { scopesOfType } from '#lib/contract/api-keys/key-types.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { effectiveScopes, isWithinScopes } from '#lib/contract/api-keys/scopes.ts';
import { keyCallsPerMinute } from '../../limiter/limits.ts';
import type { LimitConfig } from '../../limiter/limits.ts';
import { areCidrsWithin } from './cidrs.ts';
import type { ApiKeyRow } from './store/keys.ts';
import type { ApiKeyWithTokens } from './store/keys-with-tokens.ts';
import type { TokenRow } from './store/tokens.ts';

/** A key's reach: what a key made, changed, rotated or revoked by another must stay within. */
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

/** Whether nothing opens with the key any more. */
export function hasEnded(key: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return key.revokedAt !== null || isExpired(key, now);
}

/**
 * Whether a key has another token than the one it began with: that one is made in the transaction
 * that makes the key, at the same time.
 *
 * @param tokens its newest token and those still valid, newest first
 */
export function isRotated({ key, tokens }: ApiKeyWithTokens): boolean {
  const [newest, previous] = tokens;
  return previous !== undefined || (newest !== undefined && newest.createdAt > key.createdAt);
}

/** When a revoked or expired key ended. One that had expired before it was revoked ended when it was revoked. */
export function endOf(key: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>): Date {
  const end = key.revokedAt ?? key.expiresAt;
  if (end === null) throw new Error('the key is neither revoked nor does it expire');
  return end;
}

/** Whether a token opens anything at `now`: not past its grace, its key neither revoked nor expired. */
export function isTokenValid(
  { key, token }: { key: ApiKeyRow; token: Pick<TokenRow, 'validUntil'> },
  now: Date,
): boolean {
  if (hasEnded(key, now)) return false;
  return token.validUntil === null || token.validUntil > now;
}

/**
 * Whether `inner` can do nothing that `outer` cannot: in scopes, in time, from where and how often.
 * A key without a list of scopes gets every scope that its type is given in future. A key with a
 * list does not, so the former is only within another key without a list.
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
  fates: TokenAfterRotation[];
  /** The newest token, if it is replaced at once because it was never used. */
  replacedUnused: TokenRow | null;
};

export type RotationPlan =
  | DecidedRotation
  /** Too many tokens would be valid afterwards; of the older ones, `endFirst` is missed least. */
  | { kind: 'too_many'; endFirst: TokenRow };

/**
 * Decides which tokens stay valid when a key is rotated, and until when.
 *
 * The newest token stays valid for the grace period, and every older one keeps the deadline that an
 * earlier rotation gave it. If an older one is still valid and the newest was never used, the
 * newest is replaced at once: the answer that carried it was probably lost, and the caller who
 * tries again still depends on the older. A grace of 0 ends all of them. No grace outlives the key.
 *
 * @param tokens valid tokens of the key, newest first
 */
export function planRotation(
  tokens: readonly TokenRow[],
  about: { now: Date; graceSeconds: number; keyExpiresAt: Date | null },
): RotationPlan {
  const { now, graceSeconds, keyExpiresAt } = about;
  const [newest, ...older] = tokens;
  if (!newest || graceSeconds === 0) {
    return {
      kind: 'rotate',
      fates: tokens.map((token) => ({ token, validUntil: null })),
      replacedUnused: null,
    };
  }
  const kept = older.map((token) => ({ token, validUntil: endOfToken(token, keyExpiresAt) }));
  if (older.length > 0 && newest.firstUsedAt === null) {
    return {
      kind: 'rotate',
      fates: [{ token: newest, validUntil: null }, ...kept],
      replacedUnused: newest,
    };
  }
  const [endFirst] = older.toSorted((a, b) => lastUse(a) - lastUse(b) || a.id - b.id);
  if (endFirst && tokens.length >= maxValidTokens) return { kind: 'too_many', endFirst };
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000);
  return {
    kind: 'rotate',
    fates: [{ token: newest, validUntil: earlier(graceEnd, keyExpiresAt) }, ...kept],
    replacedUnused: null,
  };
}

/** When a token stops being valid: at the deadline it was given, or with its key if that is sooner. */
export function endOfToken(
  { validUntil }: Pick<TokenRow, 'validUntil'>,
  keyExpiresAt: Date | null,
): Date | null {
  return validUntil && earlier(validUntil, keyExpiresAt);
}

function earlier(end: Date, keyExpiresAt: Date | null): Date {
  return keyExpiresAt && keyExpiresAt < end ? keyExpiresAt : end;
}

/** Never used counts as longest ago. */
function lastUse({ lastUsedAt }: TokenRow): number {
  return lastUsedAt?.getTime() ?? 0;
}
