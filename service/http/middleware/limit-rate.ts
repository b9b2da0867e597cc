import type { Context as Call } from 'hono';
import type { Context } from '../../context.ts';
import type { Actor } from '../../domain/actor.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { LimitState } from '../../limiter.ts';
import type { AppEnv } from '../call.ts';

/**
 * Counts the call against its key or person and, where `countsForAccount`, against what all keys of
 * the account may call together.
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the whole seconds until both let a call through.
 */
export async function limitRate(
  ctx: Context,
  call: Call<AppEnv>,
  { actor, countsForAccount }: { actor: Actor; countsForAccount: boolean },
): Promise<void> {
  const caller = actor.kind === 'api_key' ? `key:${actor.keyId}` : `person:${actor.personId}`;
  const state = await (countsForAccount
    ? ctx.limiter.consume(caller, actor.accountId)
    : ctx.limiter.consume(caller));
  stateLimit(call, state);
  if (!state.allowed) {
    throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: state.resetSeconds });
  }
}

/**
 * States a budget in `RateLimit` and `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers):
 * of those that a call counts against, the tightest.
 */
function stateLimit(call: Call<AppEnv>, state: LimitState): void {
  const policy = state.bucket === 'account-call' ? 'account' : 'default';
  call.header('RateLimit-Policy', `"${policy}";q=${state.limit};w=${state.windowSeconds}`);
  call.header('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
}
