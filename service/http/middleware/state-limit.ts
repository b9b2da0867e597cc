import type { Context as Call } from 'hono';
import type { LimitState } from '../../limiter.ts';
import type { AppEnv } from '../call.ts';

/** What the limits are called in headers, by the limiter's buckets. */
const policies: Record<string, string> = {
  call: 'default',
  'account-call': 'account',
  creation: 'creations',
  'account-creation': 'account-creations',
};

/** States a limit in `RateLimit` and `RateLimit-Policy` (IETF draft-ietf-httpapi-ratelimit-headers). */
export function stateLimit(call: Call<AppEnv>, state: LimitState): void {
  const policy = policies[state.bucket] ?? state.bucket;
  call.header('RateLimit-Policy', `"${policy}";q=${state.limit};w=${state.windowSeconds}`);
  call.header('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
}
