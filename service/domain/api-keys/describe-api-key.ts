import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import type { MemberNames } from '../people/members/read-members.ts';
import { describeResponsible, listResponsibleMembers } from './check-fields.ts';
import {
  hasEnded,
  isExpired,
  isRotated,
  isUnconfirmed,
  lastUsedToken,
  scopesOfKey,
  tokenRestoredByUndo,
  tokenValidUntil,
} from './rules.ts';
import { listReportedKeyIds } from './store/keys.ts';
import type { ApiKeyWithTokens } from './store/keys-with-tokens.ts';
import type { TokenRow } from './store/tokens.ts';

/**
 * Stored keys of an account as the API shows them at `now`. Reported leaks are read only if one of
 * the keys has a rotation that could be undone: clients list keys often, and such rotations are
 * rare.
 */
export async function describeApiKeys(
  db: Db | Tx,
  keys: readonly ApiKeyWithTokens[],
  { accountId, now }: { accountId: AccountId; now: Date },
): Promise<ApiKey[]> {
  const canBeUndone = keys.some(
    ({ key, tokens }) => !hasEnded(key, now) && tokenRestoredByUndo(tokens) !== null,
  );
  const leaked = canBeUndone ? await listReportedKeyIds(db, accountId, now) : null;
  const members = await listResponsibleMembers(
    db,
    accountId,
    keys.map(({ key }) => key),
  );
  return keys.map((key) => describeApiKey(key, { now, leaked, members }));
}

/** The same for one key. */
export async function describeStoredApiKey(
  db: Db | Tx,
  key: ApiKeyWithTokens,
  options: { accountId: AccountId; now: Date },
): Promise<ApiKey> {
  const [described] = await describeApiKeys(db, [key], options);
  if (!described) throw new Error(`API key ${key.key.id} was not described`);
  return described;
}

/**
 * A key as the API shows it at `now`. It contains neither a token nor a digest.
 *
 * @param options `leaked`: ids of the keys with a reported leak, whose rotations cannot be undone;
 *   null if none of the rotations could be undone in any case. `members`: the names of responsible
 *   persons who belong to the account
 */
function describeApiKey(
  { key, tokens }: ApiKeyWithTokens,
  { now, leaked, members }: { now: Date; leaked: ReadonlySet<number> | null; members: MemberNames },
): ApiKey {
  const [newest] = tokens;
  if (!newest) throw new Error(`API key ${key.id} has no token`);
  const liveTokens = hasEnded(key, now) ? [] : tokens;
  const lastUse = lastUsedToken(tokens);
  return {
    id: key.id,
    uuid: key.uuid,
    name: key.name,
    type: key.type,
    scopes: scopesOfKey(key),
    last_four: newest.lastFour,
    status: statusOf({ key, tokens }, now),
    created_at: formatApiTime(key.createdAt),
    created_by: key.createdBy,
    rotated_at: isRotated({ key, tokens }) ? formatApiTime(newest.createdAt) : null,
    expires_at: key.expiresAt && formatApiTime(key.expiresAt),
    last_used_at: lastUse?.lastUsedAt ? formatApiTime(lastUse.lastUsedAt) : null,
    last_used_ip: lastUse?.lastUsedIp ?? null,
    paused_at: key.pausedAt && formatApiTime(key.pausedAt),
    paused_by: key.pausedBy,
    revoked_at: key.revokedAt && formatApiTime(key.revokedAt),
    revoked_by: key.revokedBy,
    revoked_reason: key.revokedReason,
    allowed_cidrs: key.allowedCidrs,
    description: key.description,
    tags: key.tags,
    responsible: describeResponsible(key, members),
    rate_limit_per_minute: key.rateLimitPerMinute,
    may_rotate_itself: key.mayRotateItself,
    previous_token: describePrevious({ key, tokens: liveTokens }),
    tokens: liveTokens.map((token) => ({
      ...describeToken(token, key.expiresAt),
      unconfirmed:
        token === newest ? describeUnconfirmed(tokens, { isLeaked: leaked?.has(key.id) }) : null,
    })),
  };
}

function statusOf({ key, tokens }: ApiKeyWithTokens, now: Date): ApiKey['status'] {
  if (key.revokedAt) return 'revoked';
  if (isExpired(key, now)) return 'expired';
  if (key.pausedAt) return 'paused';
  return tokens.length > 1 ? 'rotating' : 'active';
}

function describePrevious({ key, tokens }: ApiKeyWithTokens): ApiKey['previous_token'] {
  const [current, older] = tokens;
  const end = older && tokenValidUntil(older, key.expiresAt);
  if (!current || !older || !end) return null;
  return {
    last_four: older.lastFour,
    replaced_at: formatApiTime(current.createdAt),
    valid_until: formatApiTime(end),
    last_used_at: older.lastUsedAt && formatApiTime(older.lastUsedAt),
  };
}

function describeToken(
  token: TokenRow,
  keyExpiresAt: Date | null,
): Omit<ApiKeyToken, 'unconfirmed'> {
  const end = tokenValidUntil(token, keyExpiresAt);
  return {
    id: token.id,
    last_four: token.lastFour,
    created_at: formatApiTime(token.createdAt),
    created_by: token.createdBy,
    shown_to: token.shownTo,
    valid_until: end && formatApiTime(end),
    last_used_at: token.lastUsedAt && formatApiTime(token.lastUsedAt),
    last_used_ip: token.lastUsedIp,
    last_used_user_agent: token.lastUsedAgent,
  };
}

/** What is shown of the newest of these tokens while it is unconfirmed. */
function describeUnconfirmed(
  tokens: readonly TokenRow[],
  { isLeaked = false }: { isLeaked: boolean | undefined },
): ApiKeyToken['unconfirmed'] {
  const [newest] = tokens;
  if (!newest || !isUnconfirmed(newest)) return null;
  return {
    since: formatApiTime(newest.unconfirmedSince),
    shown_to: newest.shownTo,
    undo_restores: isLeaked ? null : (tokenRestoredByUndo(tokens)?.lastFour ?? null),
  };
}
