import { areCidrsWithin } from '#lib/cidrs-within.ts';
import { scopesOfType } from '#lib/contract/api-keys/key-types.ts';
import { effectiveScopes, isWithinScopes, type Scope } from '#lib/contract/api-keys/scopes.ts';
import { dayMs } from '#lib/durations.ts';
import { keyCallsPerMinute, type LimitConfig } from '../../limiter/limits.ts';
import { canonicalNetwork, isInNetworks } from '../../network/networks.ts';
import type { ApiKeyWithTokens } from './store/keys-with-tokens.ts';
import type { ApiKeyRow } from './store/keys.ts';
import type { TokenRow } from './store/tokens.ts';

/** A key's reach. A key can create, change, rotate or revoke only keys whose reach is within it. */
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

/** When a revoked or expired key ended. One that had expired before ended when it was revoked. */
export function endedAt(key: Pick<ApiKeyRow, 'revokedAt' | 'expiresAt'>): Date {
  const end = key.revokedAt ?? key.expiresAt;
  if (end === null) throw new Error('the key is neither revoked nor does it expire');
  return end;
}

/** Whether a token is valid at `now`, and its key neither revoked nor expired. */
export function isTokenValid(
  { key, token }: { key: Parameters<typeof hasEnded>[0]; token: Pick<TokenRow, 'validUntil'> },
  now: Date,
): boolean {
  if (hasEnded(key, now)) return false;
  return token.validUntil === null || token.validUntil > now;
}

/** What is stored about the token that a request with an `Idempotency-Key` made: only ids. */
export function isTokenAccepted(
  { key, token }: { key: ApiKeyRow; token: Pick<TokenRow, 'validUntil'> },
  now: Date,
): boolean {
  return key.pausedAt === null && isTokenValid({ key, token }, now);
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

/** A token is confirmed when the person says that they have it, or a call is made with it. */
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
  /** Until when it stays valid; null if it ends immediately. */
  validUntil: Date | null;
};

/** A rotation that can be carried out. */
export type DecidedRotation = {
  kind: 'rotate';
  /** Of every token that is valid before the rotation, newest first. */
  tokenOutcomes: TokenAfterRotation[];
  /** The newest token, if it is replaced immediately because it is unconfirmed. */
  replacedUnused: TokenRow | null;
};

export type RotationPlan =
  | DecidedRotation
  /** Too many tokens would be valid. `endFirst` is the older one likely to be missed least. */
  | { kind: 'too_many'; endFirst: TokenRow };

/**
 * Decides which tokens stay valid when a key is rotated, and until when.
 *
 * The newest token stays valid for the grace period, and every older token keeps the deadline that
 * an earlier rotation gave it. If an older token is still valid and the newest is unconfirmed, the
 * newest is replaced immediately: nobody is known to have it, and clients still depend on the older
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
    tokenOutcomes: [{ token: newest, validUntil: earlierOf(graceEnd, keyExpiresAt) }, ...kept],
    replacedUnused: null,
  };
}

export function lastUsedToken(tokens: readonly TokenRow[]): TokenRow | undefined {
  const used = tokens.filter(({ lastUsedAt }) => lastUsedAt !== null);
  return used.toSorted((a, b) => Number(b.lastUsedAt) - Number(a.lastUsedAt))[0];
}

/** When a token stops being valid: at its deadline, or when its key expires if that is sooner. */
export function tokenValidUntil(
  { validUntil }: Pick<TokenRow, 'validUntil'>,
  keyExpiresAt: Date | null,
): Date | null {
  return validUntil && earlierOf(validUntil, keyExpiresAt);
}

function earlierOf(end: Date, keyExpiresAt: Date | null): Date {
  return keyExpiresAt && keyExpiresAt < end ? keyExpiresAt : end;
}

/** A token that was never used sorts before all others. */
function lastUse({ lastUsedAt }: TokenRow): number {
  return lastUsedAt?.getTime() ?? 0;
}

/**
 * Networks as people write them (`203.0.113.0/24`, `2001:db8::/32`, a bare address for itself
 * alone), canonical, host bits cleared, each once. What is not a network is left out.
 */
export function parseCidrs(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => canonicalNetwork(text.trim()) ?? []))];
}

/** A message for each text that is not a network. */
export function findCidrProblems(texts: readonly string[]): string[] {
  return texts
    .filter((text) => canonicalNetwork(text.trim()) === null)
    .map((text) => `"${text}" is not a network. Write it as 203.0.113.0/24 or 2001:db8::/32.`);
}

/** Whether an address lies in one of the networks; an empty list means any address. */
export function isAddressAllowed(address: string, cidrs: readonly string[]): boolean {
  return cidrs.length === 0 || isInNetworks(address, cidrs);
}

/**
 * The token that becomes the newest again if the rotation that made the newest one is undone. Null
 * if it cannot be undone: the newest token must be unconfirmed, and the one before it still valid.
 *
 * @param tokens valid tokens of the key, newest first
 */
export function tokenRestoredByUndo(tokens: readonly TokenRow[]): TokenRow | null {
  const [newest, ...older] = tokens;
  if (!newest || !isUnconfirmed(newest)) return null;
  return older.find(({ id }) => id === newest.undoTokenId) ?? null;
}

/**
 * When the rotations were made that undoing the latest one undoes: the latest, and those before it
 * whose unused token the next one replaced immediately.
 *
 * @param earlier the tokens that were made before and could be undone to the same token, newest
 *   first
 */
export function rotationsUndoneWith(latest: TokenRow, earlier: readonly TokenRow[]): Date[] {
  const madeAt = [latest.createdAt];
  for (const { createdAt, validUntil } of earlier) {
    const replacedBy = madeAt.at(-1);
    // The rotation that made this one was undone earlier.
    if (validUntil?.getTime() !== replacedBy?.getTime()) break;
    madeAt.push(createdAt);
  }
  return madeAt;
}

/**
 * The token to which a rotation can be undone: the one to which the rotation gives a deadline. If
 * the rotation replaces an unused token, undoing it also undoes the rotation that made that token.
 */
export function undoTokenIdOf({
  tokenOutcomes,
  replacedUnused,
}: Pick<DecidedRotation, 'tokenOutcomes' | 'replacedUnused'>): number | null {
  if (replacedUnused) return replacedUnused.undoTokenId;
  const [newest] = tokenOutcomes;
  return newest?.validUntil ? newest.token.id : null;
}

/** When the expiry of a key is announced: 7 days before, 1 day before, and when it has expired. */
const noticesBeforeMs = [7 * dayMs, dayMs, 0] as const;

/** How many of these moments have passed at `now`; none for a key that does not expire. */
export function passedNotices(expiresAt: Date | null, now: Date): number {
  if (expiresAt === null) return 0;
  const leftMs = expiresAt.getTime() - now.getTime();
  return noticesBeforeMs.filter((beforeMs) => leftMs <= beforeMs).length;
}

/**
 * Each number of notices, with the latest expiry for which it is due: keys that expire by then and
 * had fewer than `notices` notices need one.
 */
export function dueExpiries(now: Date): { notices: number; expiresBy: Date }[] {
  return noticesBeforeMs.map((beforeMs, index) => ({
    notices: index + 1,
    expiresBy: new Date(now.getTime() + beforeMs),
  }));
}
