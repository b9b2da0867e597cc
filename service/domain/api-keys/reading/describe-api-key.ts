import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { formatApiTime } from '#lib/time.ts';
import { tokenValidUntil, hasEnded, isExpired, isRotated, scopesOfKey } from '../rules.ts';
import { describeResponsible } from '../input/responsible-person.ts';
import type { MemberNames } from '../../people/members/find-member-names.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import type { TokenRow } from '../store/tokens.ts';
import { isUnconfirmed, tokenRestoredByUndo } from '../unconfirmed/rules.ts';

/**
 * A key as the API shows it at `now`. It contains neither a token nor a digest.
 *
 * @param options `leaked`: ids of the keys with a reported leak, whose rotations cannot be undone;
 *   null if none of the rotations could be undone in any case. `members`: the names of responsible
 *   persons who belong to the account
 */
export function describeApiKey(
  { key, tokens }: ApiKeyWithTokens,
  { now, leaked, members }: { now: Date; leaked: ReadonlySet<number> | null; members: MemberNames },
): ApiKey {
  const [newest, previous] = tokens;
  if (!newest) throw new Error(`API key ${key.id} has no token`);
  const liveTokens = hasEnded(key, now) ? [] : tokens;
  const lastUse = tokens
    .filter((token) => token.lastUsedAt !== null)
    .reduce<(typeof tokens)[number] | null>(
      (latest, token) =>
        latest?.lastUsedAt && token.lastUsedAt && latest.lastUsedAt >= token.lastUsedAt
          ? latest
          : token,
      null,
    );
  return {
    id: key.id,
    uuid: key.uuid,
    name: key.name,
    type: key.type,
    scopes: scopesOfKey(key),
    last_four: newest.lastFour,
    status: statusOf(),
    created_at: formatApiTime(key.createdAt),
    created_by: key.createdBy,
    rotated_at: isRotated({ key, tokens }) ? formatApiTime(newest.createdAt) : null,
    expires_at: key.expiresAt && formatApiTime(key.expiresAt),
    last_used_at: lastUse?.lastUsedAt ? formatApiTime(lastUse.lastUsedAt) : null,
    last_used_ip: lastUse?.lastUsedIp ?? null,
    revoked_at: key.revokedAt && formatApiTime(key.revokedAt),
    revoked_by: key.revokedBy,
    revoked_reason: key.revokedReason,
    allowed_cidrs: key.allowedCidrs,
    description: key.description,
    tags: key.tags,
    responsible: describeResponsible(key, members),
    rate_limit_per_minute: key.rateLimitPerMinute,
    previous_token: describePrevious(),
    tokens: liveTokens.map((token) => {
      const end = tokenValidUntil(token, key.expiresAt);
      return {
        id: token.id,
        last_four: token.lastFour,
        created_at: formatApiTime(token.createdAt),
        created_by: token.createdBy,
        valid_until: end && formatApiTime(end),
        last_used_at: token.lastUsedAt && formatApiTime(token.lastUsedAt),
        unconfirmed: token === newest ? describeUnconfirmed(token) : null,
      };
    }),
  };

  function describeUnconfirmed(token: TokenRow): ApiKeyToken['unconfirmed'] {
    if (!isUnconfirmed(token)) return null;
    return {
      since: formatApiTime(token.unconfirmedSince),
      shown_to: token.revealedTo,
      undo_restores: leaked?.has(key.id) ? null : (tokenRestoredByUndo(tokens)?.lastFour ?? null),
    };
  }

  function describePrevious(): ApiKey['previous_token'] {
    const [current, older] = liveTokens;
    const end = older && tokenValidUntil(older, key.expiresAt);
    if (!current || !older || !end) return null;
    return {
      last_four: older.lastFour,
      replaced_at: formatApiTime(current.createdAt),
      valid_until: formatApiTime(end),
      last_used_at: older.lastUsedAt && formatApiTime(older.lastUsedAt),
    };
  }

  function statusOf(): ApiKey['status'] {
    if (key.revokedAt) return 'revoked';
    if (isExpired(key, now)) return 'expired';
    return previous ? 'rotating' : 'active';
  }
}
