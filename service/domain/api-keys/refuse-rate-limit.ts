import type { Context } from '../../context.ts';
import { accountCallsPerMinute, keyCallsPerMinute } from '../../limiter/limits.ts';
import { forbidden, invalid } from '../errors.ts';
import type { ApiKeyRow } from './store/keys.ts';

/**
 * Refuses to give a key this limit of its own.
 *
 * @param about `limit`: null for what every key may call; `own`: the key that acts, null for a person
 * @throws ServiceError VALIDATION_ERROR for more than the account's keys may call together;
 *   FORBIDDEN for more than the key that acts may call itself
 */
export function refuseRateLimit(
  { config }: Context,
  { limit, own }: { limit: number | null; own: ApiKeyRow | null },
): void {
  const most = accountCallsPerMinute(config);
  if (limit !== null && limit > most) {
    throw invalid(
      'rate_limit_per_minute',
      `Use at most ${most}, which is what all keys of the account may call in a minute.`,
    );
  }
  if (own === null) return;
  const ownMost = keyCallsPerMinute(config, own.rateLimitPerMinute);
  if (keyCallsPerMinute(config, limit) > ownMost) throw forbidden();
}
