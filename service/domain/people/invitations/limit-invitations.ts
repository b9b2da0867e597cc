import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';

/** Counts an invitation that is made or sent again: each may be a mail to a stranger. */
export async function limitInvitations(
  ctx: Pick<Context, 'limiter'>,
  { accountId }: PersonActor,
): Promise<void> {
  const state = await ctx.limiter.consume([{ limit: 'invitation', key: accountId }]);
  if (state.allowed) return;
  throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: state.resetSeconds });
}
