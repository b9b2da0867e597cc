import type { z } from 'zod';
import type { TokenShownToOthers } from '#lib/contract/api-keys/shown-tokens.ts';
import type { findTokenInput, FoundTokenOfAccount } from '#lib/contract/api-keys/token-search.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/open.ts';
import type { Actor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { listMembers } from '../../people/members/read-members.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import { isTokenValid } from '../rules.ts';
import { findApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { findApiKeyId, type ApiKeyRow } from '../store/keys.ts';
import { findTokenByDigest as findRecord, findTokenOfAccountByDigest } from '../store/tokens.ts';

const unknownToken: FoundTokenOfAccount = {
  state: 'unknown',
  last_four: null,
  valid_until: null,
  api_key: null,
};

/**
 * The key of the actor's account to which a token belongs, and until when the token works or
 * worked. A token that ended before its key counts as ended.
 */
export async function findTokenOfAccount(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  input: z.output<typeof findTokenInput>,
): Promise<FoundTokenOfAccount> {
  const digest = Buffer.from(input.token_digest, 'hex');
  const found = await findTokenOfAccountByDigest(ctx.db, actor.accountId, digest);
  if (!found) return unknownToken;
  const { key, token } = found;
  const ends = [
    { at: token.validUntil, state: 'ended' as const },
    { at: key.revokedAt, state: 'revoked' as const },
    { at: key.expiresAt, state: 'expired' as const },
  ];
  const [first] = ends.toSorted((a, b) => (a.at ?? never).getTime() - (b.at ?? never).getTime());
  const end = first?.at ?? null;
  const hasEnded = end !== null && end <= ctx.clock.now();
  const works = key.pausedAt ? 'paused' : token.validUntil === null ? 'live' : 'grace';
  return {
    state: hasEnded && first ? first.state : works,
    last_four: token.lastFour,
    valid_until: end && formatApiTime(end),
    api_key: { uuid: key.uuid, name: key.name },
  };
}

/** The last moment that a `Date` can have. */
const never = new Date(8.64e15);

/** The token and its key, whatever their state, unless their account is being deleted. */
export async function findTokenByDigest(
  db: Db,
  digest: Buffer,
): Promise<{ key: ApiKeyRow; token: { lastFour: string } } | null> {
  return await findRecord(db, digest);
}

/**
 * The valid tokens of a key that were shown to people who may not change the key: they could give
 * themselves nothing that a change of the key adds. @throws ServiceError NOT_FOUND
 */
export async function listTokensShownToOthers(
  ctx: Pick<Context, 'db' | 'clock'>,
  { accountId }: Actor,
  input: { apiKey: string },
): Promise<TokenShownToOthers[]> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.apiKey);
  const id = reference && (await findApiKeyId(ctx.db, accountId, reference));
  const found = id && (await findApiKeyWithTokens(ctx.db, { accountId, id }, now));
  if (!found) throw notFound();
  const members = await listMembers(ctx.db, accountId);
  return found.tokens.flatMap((token) => {
    const { shownTo } = token;
    if (shownTo?.kind !== 'person' || !isTokenValid({ key: found.key, token }, now)) return [];
    const role = members.find((member) => member.id === shownTo.id)?.role ?? null;
    if (role !== null && mayAct(role, 'api-keys.update')) return [];
    return { last_four: token.lastFour, person: { name: shownTo.name, role } };
  });
}
