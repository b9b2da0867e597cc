import { limitOf } from '../limiter/limits.ts';
import type { LimitState } from '../limiter/limiter.ts';
import type { Call } from './call.ts';

/** Sets `RateLimit` and `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers). */
export function setRateLimitHeaders(call: Call, state: LimitState): void {
  const { policy } = limitOf(state.name);
  if (policy === undefined) return;
  call.setHeader('RateLimit-Policy', `"${policy}";q=${state.limit};w=${state.windowSeconds}`);
  call.setHeader('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
}
