import type { z } from 'zod';
import type { findTokenInput } from '#lib/contract/api-keys/token-search.ts';
import type { FoundToken } from '#lib/contract/support-desk/support-desk.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import type { SignedInPerson } from '../actor.ts';
import { isExpired, tokenValidUntil } from '../api-keys/rules.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { listOpenRequestsOfKeys } from '../rotation-requests/read-requests.ts';
import { countLeakRevocationsLeft } from '../rotation-requests/leaks/revoke-leaked-key.ts';
import { describeKey } from './describe-found.ts';
import { readSearcher } from './read-searcher.ts';
import { recordSearch } from './searches.ts';
import { rolesThatMay } from './rules.ts';
import { findKeyByDigest, listTokens } from './store/keys.ts';
import type { DigestedToken, FoundKeyRow } from './store/keys.ts';

/**
 * Finds the key of a token, and whether the token works. A token of an account that the person
 * cannot open gets the same response as one that does not exist. The audit log of the key's account
 * records the look-up, and so does the record of desk searches, which contains nothing of the
 * token.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session ended in the meantime
 */
export async function findToken(
  ctx: Context,
  person: SignedInPerson,
  { input, sessionToken }: { input: z.output<typeof findTokenInput>; sessionToken: string },
): Promise<FoundToken> {
  await refuseOverLimit(ctx, [{ limit: 'desk-search', key: person.personId }]);
  const searcher = await readSearcher(ctx, person, sessionToken);
  const { now } = searcher;
  const found = await findKeyByDigest(ctx.db, searcher, {
    digest: Buffer.from(input.token_digest, 'hex'),
    roles: rolesThatMay('api-keys.read'),
  });
  if (!found) {
    await ctx.db.transaction((tx) => recordSearch(tx, person, { search: null, found: {}, now }));
    return unknownToken;
  }
  const { key, token } = found;
  const state = stateOf({ key, token }, now);
  await ctx.db.transaction(async (tx) => {
    await recordSearch(tx, person, { search: null, found: { keys: 1 }, now });
    await recordAudit(tx, {
      accountId: mintAccountId(key.access.accountId),
      by: { kind: 'person', id: person.personId, name: person.personName },
      origin: person.origin,
      action: 'support_desk.token_found',
      at: now,
      target: { kind: 'api_key', id: key.uuid, name: key.name },
      changes: { last_four: token.lastFour, state },
    });
  });
  const { needsReason } = key.access;
  const end = needsReason ? null : tokenValidUntil(token, key.expiresAt);
  const lastUse = needsReason ? null : token.lastUsedAt;
  return {
    state,
    valid_until: end && formatApiTime(end),
    last_used_at: lastUse && formatApiTime(lastUse),
    key: describeKey(key, {
      tokens: await listTokens(ctx.db, [key]),
      requests: await listOpenRequestsOfKeys(ctx.db, {
        accountIds: [mintAccountId(key.access.accountId)],
        keyIds: [key.id],
        now,
      }),
      lastFour: token.lastFour,
      searcher,
    }),
    leak_revocations_left: await countLeakRevocationsLeft(ctx.db, searcher),
  };
}

const unknownToken: FoundToken = {
  state: 'unknown',
  valid_until: null,
  last_used_at: null,
  key: null,
  leak_revocations_left: null,
};

function stateOf(
  { key, token }: { key: FoundKeyRow; token: DigestedToken },
  now: Date,
): FoundToken['state'] {
  if (key.revokedAt) return 'revoked';
  if (token.validUntil !== null && token.validUntil <= now) return 'ended';
  if (isExpired(key, now)) return 'expired';
  if (key.pausedAt) return 'paused';
  return token.validUntil === null ? 'live' : 'grace';
}
