import type { Context } from '../../../context.ts';
import { digestLinkToken } from '../link-token.ts';
import { alreadySetUpError, invalidSetUpTokenError } from './set-up-token.ts';
import { hasPeople } from '../store/people.ts';
import { findSetUpToken } from '../store/set-up.ts';

/**
 * Until when a set-up token can be used. Does not use it up.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.set_up_token`
 */
export async function checkSetUpToken(ctx: Context, token: string): Promise<{ validUntil: Date }> {
  if (await hasPeople(ctx.db)) throw alreadySetUpError();
  const found = await findSetUpToken(ctx.db, digestLinkToken(token));
  if (!found || found.expiresAt <= ctx.clock.now()) throw invalidSetUpTokenError();
  return { validUntil: found.expiresAt };
}
