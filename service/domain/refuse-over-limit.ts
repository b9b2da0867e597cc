import type { Context } from '../context.ts';
import type { LimitUse } from '../limiter/limiter.ts';
import { overLimit } from './errors.ts';

/**
 * Counts a call against each of these limits, or against none of them if one is used up.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the seconds to wait
 */
export async function refuseOverLimit(
  ctx: Pick<Context, 'limiter'>,
  uses: readonly LimitUse[],
): Promise<void> {
  const state = await ctx.limiter.consume(uses);
  if (!state.allowed) throw overLimit(state);
}
