import type { z } from 'zod';
import type { FoundTokenOfAccount, findTokenInput } from '#lib/contract/api-keys/token-search.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { findTokenOfAccountByDigest } from '../store/tokens.ts';

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
  return {
    state: hasEnded && first ? first.state : token.validUntil === null ? 'live' : 'grace',
    last_four: token.lastFour,
    valid_until: end && formatApiTime(end),
    api_key: { uuid: key.uuid, name: key.name },
  };
}

/** The last moment that a `Date` can have. */
const never = new Date(8.64e15);
