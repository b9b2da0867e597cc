import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import { memberMay } from '#lib/contract/rights/member-rights.ts';
import type { Act } from '#lib/contract/rights/roles.ts';
import type { Clock } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import type { Actor, ApiKeyActor } from '../actor.ts';
import { forbidden, lacksScope, ServiceError } from '../errors.ts';
import { isAccountDeleted } from '../people/accounts/deletion.ts';
import { confirmMember } from '../people/members/confirm-member.ts';
import {
  isAddressAllowed,
  isTokenAccepted,
  isWithinReach,
  scopesOfKey,
  type Reach,
} from './rules.ts';
import { lockApiKeyForShare, lockApiKeys, type ApiKeyRow } from './store/keys.ts';
import { validTokens, type TokenRow } from './store/tokens.ts';

/** An actor as read in the transaction that writes, with the keys that were locked with it. */
export type ConfirmedActor = {
  /** Whether the actor may create or change a key with this reach, and see its token. */
  mayHandle: (key: Reach) => boolean;
  /** Whether the actor may end a working token, or shorten its time to less than an hour. */
  mayEndTokens: boolean;
  own: ApiKeyRow | null;
  /** The key that `targetId` names, locked; null if the account has no such key. */
  target: ApiKeyRow | null;
};

/**
 * Reads the actor and the key it is about to change again under lock, because what authentication
 * read may be seconds old.
 *
 * @param options `scope`: what a key needs; null for its act on itself. `mayBeInGrace`: the actor
 *   repeats the request by which its own token was replaced
 * @throws ServiceError UNAUTHORIZED if the actor's token is no longer valid; FORBIDDEN if the token
 *   is in its grace period (anyone who holds a replaced token must not lock the key's owner out by
 *   rotating the key), or if the key or the member may no longer do this.
 */
export async function confirmActor(
  tx: Tx,
  actor: Actor,
  {
    config,
    clock,
    act,
    scope,
    targetId,
    mayBeInGrace,
  }: {
    config: Context['config'];
    clock: Context['clock'];
    act: Act;
    scope: Scope | null;
    targetId: number | null;
    mayBeInGrace?: boolean;
  },
): Promise<ConfirmedActor> {
  const wanted = targetId === null ? [] : [targetId];

  if (actor.kind === 'person') {
    const rights = await confirmMember(tx, actor, act);
    return {
      own: null,
      target: await lockOne(tx, actor.accountId, targetId),
      mayHandle: (key) => mayBeShown(rights, scopesOfKey(key)),
      mayEndTokens: memberMay(rights, 'api-keys.end-tokens'),
    };
  }

  const locked = await lockApiKeys(tx, actor.accountId, [...new Set([actor.keyId, ...wanted])]);
  const { key: own, token } = await requireValidToken(tx, actor, {
    key: locked.find(({ id }) => id === actor.keyId),
    clock,
  });
  if (token.validUntil !== null && !mayBeInGrace) throw forbidden('old_token');
  if (scope !== null && !scopesOfKey(own).includes(scope)) throw lacksScope(scope);
  return {
    own,
    target: locked.find((key) => key.id === targetId) ?? null,
    mayHandle: (key) => isWithinReach(key, own, config),
    mayEndTokens: true,
  };
}

async function lockOne(tx: Tx, accountId: AccountId, id: number | null): Promise<ApiKeyRow | null> {
  if (id === null) return null;
  const [row] = await lockApiKeys(tx, accountId, [id]);
  return row ?? null;
}

/** A 403 for a key that can do more than the actor may handle (`mayHandle`). */
export function exceedsActor({ kind }: Actor, customMessage?: string): ServiceError {
  return forbidden(kind === 'person' ? 'role' : 'own_limits', customMessage);
}

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
  if (!scopesOfKey(key).includes(scope)) throw lacksScope(scope, refusal);
  if (needsNewestToken && token.validUntil !== null) throw forbidden('old_token');
}

/**
 * Reads the token with which a key calls, and checks that it is still valid. The key must be
 * locked: the clock is read now, because the token may have ended while the call waited for it.
 *
 * @param key the actor's own key; null or undefined if it is gone
 * @throws ServiceError UNAUTHORIZED if the token or the key has ended, or if the account is being
 *   deleted; FORBIDDEN outside of the key's networks
 */
async function requireValidToken(
  tx: Tx,
  actor: ApiKeyActor,
  { key, clock }: { key: ApiKeyRow | null | undefined; clock: Clock },
): Promise<{ key: ApiKeyRow; token: TokenRow }> {
  const now = clock.now();
  const tokens = key ? await validTokens(tx, key, now) : [];
  const token = tokens.find(({ id }) => id === actor.tokenId);
  if (!key || !token || !isTokenAccepted({ key, token }, now))
    throw new ServiceError('UNAUTHORIZED');
  if (!isAddressAllowed(actor.origin.ip, key.allowedCidrs)) throw forbidden('network');
  if (await isAccountDeleted(tx, actor.accountId)) throw new ServiceError('UNAUTHORIZED');
  return { key, token };
}
