import type { Context } from '../../context.ts';
import { ServiceError } from '../errors.ts';

/**
 * Counts an attempt to give a password under each of these keys; the right ones count too.
 * @throws ServiceError RATE_LIMIT_EXCEEDED beyond ten a minute under any of them
 */
export async function limitPasswordAttempts(ctx: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const state = await ctx.limiter.consumeSignIn(key);
    if (!state.allowed) {
      throw new ServiceError('RATE_LIMIT_EXCEEDED', {
        retryAfterSeconds: Math.max(1, state.resetSeconds),
      });
    }
  }
}
