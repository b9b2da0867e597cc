import type { ApiKey } from '#lib/contract/api-keys.ts';
import { formatApiTime } from '#lib/time.ts';
import { isExpired, scopesOfKey } from './rules.ts';
import type { ApiKeyWithTokens } from './store.ts';

/** A key as the API shows it at `now`. No token and no digest is part of it. */
export function describeApiKey({ key, tokens }: ApiKeyWithTokens, now: Date): ApiKey {
  const [newest, previous] = tokens;
  if (!newest) throw new Error(`API key ${key.id} has no token`);
  const isDead = key.revokedAt !== null || isExpired(key, now);
  // A key and its first token are made in one transaction, at one time.
  const isRotated = previous !== undefined || newest.createdAt > key.createdAt;
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
    rotated_at: isRotated ? formatApiTime(newest.createdAt) : null,
    expires_at: key.expiresAt && formatApiTime(key.expiresAt),
    last_used_at: lastUse?.lastUsedAt ? formatApiTime(lastUse.lastUsedAt) : null,
    last_used_ip: lastUse?.lastUsedIp ?? null,
    revoked_at: key.revokedAt && formatApiTime(key.revokedAt),
    revoked_by: key.revokedBy,
    revoked_reason: key.revokedReason,
    allowed_cidrs: key.allowedCidrs,
    previous_token:
      previous?.validUntil && !isDead
        ? {
            last_four: previous.lastFour,
            replaced_at: formatApiTime(newest.createdAt),
            valid_until: formatApiTime(earlier(previous.validUntil, key.expiresAt)),
            last_used_at: previous.lastUsedAt && formatApiTime(previous.lastUsedAt),
          }
        : null,
  };

  function statusOf(): ApiKey['status'] {
    if (key.revokedAt) return 'revoked';
    if (isExpired(key, now)) return 'expired';
    return previous ? 'rotating' : 'active';
  }
}

/** A token ends with its key, if that comes first. */
function earlier(end: Date, keyExpiresAt: Date | null): Date {
  return keyExpiresAt && keyExpiresAt < end ? keyExpiresAt : end;
}
