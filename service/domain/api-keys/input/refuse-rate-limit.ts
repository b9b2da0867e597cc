import type { Context } from '../../../context.ts';
import { accountCallsPerMinute } from '../../../limiter/limits.ts';
import { invalid } from '../../errors.ts';

/**
 * Refuses a key's own rate limit if it is too high.
 *
 * @param limit null if the key has the usual limit
 * @throws ServiceError VALIDATION_ERROR if the limit is above that of all keys of the account
 *   together
 */
export function refuseRateLimit({ config }: Context, limit: number | null): void {
  const max = accountCallsPerMinute(config);
  if (limit === null || limit <= max) return;
  throw invalid(
    'rate_limit_per_minute',
    `Use at most ${max}, which is what all keys of the account may call in a minute.`,
  );
}
