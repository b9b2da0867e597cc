import type { Context as Call } from 'hono';
import type { Context } from '../../context.ts';
import type { Actor } from '../../domain/actor.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { AppEnv } from '../call.ts';

/**
 * Counts the call against its key or person and states the budget in `RateLimit` and
 * `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers).
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the whole seconds until the window resets.
 */
export async function limitRate(ctx: Context, call: Call<AppEnv>, actor: Actor): Promise<void> {
  const state = await ctx.limiter.consume(
    actor.kind === 'api_key' ? `key:${actor.keyId}` : `person:${actor.personId}`,
  );
  call.header('RateLimit-Policy', `"default";q=${state.limit};w=60`);
  call.header('RateLimit', `"default";r=${state.remaining};t=${state.resetSeconds}`);
  if (state.allowed) return;
  throw new ServiceError('RATE_LIMIT_EXCEEDED', {
    retryAfterSeconds: Math.max(1, state.resetSeconds),
  });
}
