import type { Context } from '../../context.ts';
import type { SignedInPerson } from '../actor.ts';
import { ServiceError } from '../errors.ts';
import { hasFactor } from '../people/second-factors/has-factor.ts';
import { findSession } from '../people/sessions/find-session.ts';
import type { Searcher } from './searcher.ts';
import { isSupporter } from './store/accounts.ts';

/** @throws ServiceError UNAUTHORIZED if the session ended meanwhile */
export async function readSearcher(
  ctx: Context,
  { personId }: SignedInPerson,
  sessionToken: string,
): Promise<Searcher> {
  const session = await findSession(ctx, sessionToken);
  if (!session) throw new ServiceError('UNAUTHORIZED');
  return {
    personId,
    sessionId: session.sessionId,
    isSupporter: await isSupporter(ctx.db, personId),
    hasFactor: await hasFactor(ctx.db, personId),
    sessionBegan: session.createdAt,
    now: ctx.clock.now(),
  };
}
