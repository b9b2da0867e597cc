import { limitOf } from '../limiter/limits.ts';
import type { LimitState } from '../limiter/limiter.ts';
import type { Call } from './call.ts';

/**
 * Reports a limit in `RateLimit` and `RateLimit-Policy` (IETF
 * draft-ietf-httpapi-ratelimit-headers), if it is one that responses report.
 */
export function setRateLimitHeaders(call: Call, state: LimitState): void {
  const { policy } = limitOf(state.name);
  if (policy === undefined) return;
  call.setHeader('RateLimit-Policy', `"${policy}";q=${state.limit};w=${state.windowSeconds}`);
  call.setHeader('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
}
