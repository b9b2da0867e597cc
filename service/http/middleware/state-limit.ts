import type { Context as Call } from 'hono';
import { limitOf } from '../../limiter/limits.ts';
import type { LimitState } from '../../limiter/limiter.ts';
import type { AppEnv } from '../call.ts';

/** States a limit in `RateLimit` and `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers). */
export function stateLimit(call: Call<AppEnv>, state: LimitState): void {
  const policy = limitOf(state.name).policy ?? state.name;
  call.header('RateLimit-Policy', `"${policy}";q=${state.limit};w=${state.windowSeconds}`);
  call.header('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
}
