import type { Clock } from '../../../clock.ts';
import type { Tx } from '../../../db/open.ts';
import type { ApiKeyActor } from '../../actor.ts';
import { ServiceError } from '../../errors.ts';
import { isAccountDeleted } from '../../people/accounts/refuse-deleted-account.ts';
import { isTokenValid } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import { validTokens } from '../store/tokens.ts';
import type { TokenRow } from '../store/tokens.ts';

/**
 * Reads the token with which a key calls, and checks that it is still valid. The key must be
 * locked: the clock is read now, because the token may have ended while the call waited for it.
 *
 * @param key the actor's own key; null or undefined if it is gone
 * @throws ServiceError UNAUTHORIZED if the token or the key has ended, or if the account is being
 *   deleted
 */
export async function requireValidToken(
  tx: Tx,
  actor: ApiKeyActor,
  { key, clock }: { key: ApiKeyRow | null | undefined; clock: Clock },
): Promise<{ key: ApiKeyRow; token: TokenRow }> {
  const now = clock.now();
  const tokens = key ? await validTokens(tx, key, now) : [];
  const token = tokens.find(({ id }) => id === actor.tokenId);
  if (!key || !token || !isTokenValid({ key, token }, now)) throw new ServiceError('UNAUTHORIZED');
  if (await isAccountDeleted(tx, actor.accountId)) throw new ServiceError('UNAUTHORIZED');
  return { key, token };
}
