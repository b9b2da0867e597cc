import { scopesOfType } from '#lib/contract/key-types.ts';
import { roleTable } from '#lib/contract/roles.ts';
import type { Role } from '#lib/contract/roles.ts';
import type { Scope } from '#lib/contract/scopes.ts';
import { effectiveScopes, isWithinScopes } from '#lib/contract/scopes.ts';
import { areCidrsWithin } from './cidrs.ts';
import type { ApiKeyRow, TokenRow } from './store.ts';

/** A key's reach: what a key made or rotated by another must stay within. */
export type Reach = Pick<ApiKeyRow, 'type' | 'scopes' | 'expiresAt' | 'allowedCidrs'>;

/** What a key may do: the scopes granted with what they imply, or all of its type. */
export function scopesOfKey(key: Pick<ApiKeyRow, 'type' | 'scopes'>): Scope[] {
  return effectiveScopes(key.scopes ?? scopesOfType(key.type));
}

export function isExpired(key: Pick<ApiKeyRow, 'expiresAt'>, now: Date): boolean {
  return key.expiresAt !== null && key.expiresAt <= now;
}

/** Whether a token opens anything at `now`: not past its grace, its key neither revoked nor expired. */
export function isTokenValid(
  { key, token }: { key: ApiKeyRow; token: Pick<TokenRow, 'validUntil'> },
  now: Date,
): boolean {
  if (key.revokedAt !== null || isExpired(key, now)) return false;
  return token.validUntil === null || token.validUntil > now;
}

/**
 * Whether `inner` can do nothing that `outer` cannot: in scopes, in time and from where.
 * A key with every scope of its type, future ones included, is only within another such key.
 */
export function isWithinReach(inner: Reach, outer: Reach): boolean {
  if (inner.type === 'full' && inner.scopes === null) {
    if (outer.type !== 'full' || outer.scopes !== null) return false;
  }
  return (
    isWithinScopes(scopesOfKey(inner), scopesOfKey(outer)) &&
    (outer.expiresAt === null ||
      (inner.expiresAt !== null && inner.expiresAt <= outer.expiresAt)) &&
    areCidrsWithin(inner.allowedCidrs, outer.allowedCidrs)
  );
}

/** Whether a member with this role may have a token of the key: it does nothing their role may not. */
export function isWithinRole(key: Pick<ApiKeyRow, 'type' | 'scopes'>, role: Role): boolean {
  return isWithinScopes(scopesOfKey(key), roleTable[role].ceiling);
}

/** What a rotation does to the tokens that are valid before it. */
export type RotationPlan = {
  /** Tokens that end, and when; those ending at `now` end at once. */
  endings: { tokenId: number; lastFour: string; validUntil: Date }[];
  /** The one older token that stays valid beside the new one. */
  previous: { lastFour: string; validUntil: Date } | null;
  /** The newest token, replaced at once because it was never used. */
  replacedUnused: { lastFour: string } | null;
};

/**
 * Decides which tokens live on when a key is rotated; at most one does beside the new one.
 *
 * In the ordinary case the newest token stays valid for the grace period and any older one ends.
 * If the newest came from a rotation whose grace still runs and was never used, it is the one
 * replaced, at once, and the older keeps its deadline: the answer that carried it was probably
 * lost, and the caller who tries again still depends on the older. A grace of 0 ends all of them.
 * A grace never outlives the key.
 *
 * @param tokens valid tokens of the key, newest first
 */
export function planRotation(
  tokens: readonly TokenRow[],
  about: { now: Date; graceSeconds: number; keyExpiresAt: Date | null },
): RotationPlan {
  const { now, graceSeconds, keyExpiresAt } = about;
  const [newest, ...older] = tokens;
  const end = (token: TokenRow, validUntil: Date) => ({
    tokenId: token.id,
    lastFour: token.lastFour,
    validUntil,
  });
  const atOnce = (ended: readonly TokenRow[]) => ended.map((token) => end(token, now));

  if (!newest || graceSeconds === 0) {
    return { endings: atOnce(tokens), previous: null, replacedUnused: null };
  }
  const [next, ...rest] = older;
  if (next?.validUntil && newest.firstUsedAt === null) {
    return {
      endings: atOnce([newest, ...rest]),
      previous: { lastFour: next.lastFour, validUntil: next.validUntil },
      replacedUnused: { lastFour: newest.lastFour },
    };
  }
  const graceEnd = new Date(now.getTime() + graceSeconds * 1000);
  const validUntil = keyExpiresAt && keyExpiresAt < graceEnd ? keyExpiresAt : graceEnd;
  return {
    endings: [end(newest, validUntil), ...atOnce(older)],
    previous: { lastFour: newest.lastFour, validUntil },
    replacedUnused: null,
  };
}
