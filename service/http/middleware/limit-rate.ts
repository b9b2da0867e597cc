import type { Context as Call } from 'hono';
import type { Context } from '../../context.ts';
import { callerName } from '../../domain/actor.ts';
import type { Actor } from '../../domain/actor.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { AppEnv } from '../call.ts';
import { stateLimit } from './state-limit.ts';

/**
 * Counts the call against its key or person and, where `countsForAccount`, against what all keys of
 * the account may call together. The answer states the tighter of the two.
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the whole seconds until both let a call through.
 */
export async function limitRate(
  ctx: Context,
  call: Call<AppEnv>,
  { actor, countsForAccount }: { actor: Actor; countsForAccount: boolean },
): Promise<void> {
  const caller = callerName(actor);
  const state = await (countsForAccount
    ? ctx.limiter.consume(caller, actor.accountId)
    : ctx.limiter.consume(caller));
  stateLimit(call, state);
  if (!state.allowed) {
    throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: state.resetSeconds });
  }
}
