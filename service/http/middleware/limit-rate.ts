import type { Context } from '../../context.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { LimitUse } from '../../limiter/limiter.ts';
import { keyCallsPerMinute } from '../../limiter/limits.ts';
import type { Call } from '../call.ts';
import { stateLimit } from './state-limit.ts';

/**
 * Counts the call against its key or person (`caller`, as `callerName` names them) and, if there is
 * one, against what all keys of the account may call together. The answer states the tighter of the
 * two.
 *
 * @param about.ownLimit the key's own limit of calls a minute; null for a person and a key without one
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the whole seconds until both let a call through.
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
