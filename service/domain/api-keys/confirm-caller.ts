import type { Act } from '#lib/contract/rights/roles.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { Clock } from '../../clock.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { forbidden } from '../errors.ts';
import { confirmMember } from '../people/members/confirm-member.ts';
import { requireValidToken } from './locked/require-valid-token.ts';
import { scopesOfKey } from './rules.ts';
import { lockApiKeyForShare } from './store/keys.ts';

/**
 * Reads the caller again under lock, because what authentication read may be seconds old. Call it
 * first in a transaction that writes for the caller, before the target is locked. For changes of
 * keys, `confirmActor` does the same and locks more.
 *
 * @param options the rights that the route requires (`access` of its contract); the message for a
 *   key without the scope, in place of the usual one; and whether a token in its grace period is
 *   refused
 * @throws ServiceError UNAUTHORIZED if the token is no longer valid; FORBIDDEN if the key or the
 *   member may no longer do this.
 */
export async function confirmCaller(
  tx: Tx,
  actor: Actor,
  {
    act,
    scope,
    clock,
    refusal,
    needsNewestToken = false,
  }: { act: Act; scope: Scope; clock: Clock; refusal?: string; needsNewestToken?: boolean },
): Promise<void> {
  if (actor.kind === 'person') {
    await confirmMember(tx, actor, act);
    return;
  }
  const locked = await lockApiKeyForShare(tx, actor.accountId, actor.keyId);
  const { key, token } = await requireValidToken(tx, actor, { key: locked, clock });
  if (!scopesOfKey(key).includes(scope)) throw forbidden(refusal);
  if (needsNewestToken && token.validUntil !== null) throw forbidden();
}
