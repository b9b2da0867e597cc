import type { Context } from '../../context.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { LimitUse } from '../../limiter/limiter.ts';
import { keyCallsPerMinute } from '../../limiter/limits.ts';
import type { Call } from '../call.ts';
import { stateLimit } from './state-limit.ts';

/**
 * Counts the call against the limit of its key or person (`caller`, as named by `callerName`) and,
 * if there is an account, against the limit of all its keys together. The response states the
 * tighter of the two limits.
 *
 * @param about.ownLimit the key's own limit of calls a minute; null for a person or a key without
 *   one
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the whole seconds until both limits allow a call.
 */
export async function limitRate(
  ctx: Context,
  call: Call,
  about: { caller: string; account: AccountId | null; ownLimit?: number | null },
): Promise<void> {
  const { caller, account, ownLimit = null } = about;
  const size = keyCallsPerMinute(ctx.config, ownLimit);
  const uses: LimitUse[] = [{ limit: 'call', key: caller, size }];
  if (account !== null) uses.push({ limit: 'account-call', key: account });
  const state = await ctx.limiter.consume(uses);
  stateLimit(call, state);
  if (!state.allowed) {
    throw new ServiceError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: state.resetSeconds });
  }
}
