import type { Context } from '../../context.ts';
import { accountCallsPerMinute } from '../../limiter/limits.ts';
import { invalid } from '../errors.ts';

/**
 * Refuses to give a key this limit of its own.
 *
 * @param limit null for what every key may call
 * @throws ServiceError VALIDATION_ERROR for more than the account's keys may call together
 */
export function refuseRateLimit({ config }: Context, limit: number | null): void {
  const most = accountCallsPerMinute(config);
  if (limit === null || limit <= most) return;
  throw invalid(
    'rate_limit_per_minute',
    `Use at most ${most}, which is what all keys of the account may call in a minute.`,
  );
}
