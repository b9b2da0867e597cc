import { areCidrsWithin } from '#lib/cidrs-within.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { UpdateApiKeyInput } from '#lib/contract/api-keys/key-inputs.ts';
import { isWithinScopes } from '#lib/contract/api-keys/scopes.ts';
import { parseNetwork, toCidr } from './fields/network.ts';

/**
 * Whether these changes let the key do anything that it cannot do now: in scopes, lifetime,
 * networks or rate limit. Networks that are not valid yet are ignored.
 */
export function widensKey(
  {
    scopes,
    expires_at: end,
    allowed_cidrs: networks,
    rate_limit_per_minute: limit,
  }: UpdateApiKeyInput,
  before: Pick<ApiKey, 'scopes' | 'expires_at' | 'allowed_cidrs' | 'rate_limit_per_minute'>,
): boolean {
  const addsScopes =
    scopes !== undefined && (scopes === null || !isWithinScopes(scopes, before.scopes));
  const lastsLonger =
    end !== undefined &&
    before.expires_at !== null &&
    (end === null || new Date(end) > new Date(before.expires_at));
  const addsNetworks =
    networks !== undefined &&
    (networks.length === 0
      ? before.allowed_cidrs.length > 0
      : networks
          .filter((text) => parseNetwork(text).kind === 'network')
          .some((text) => !areCidrsWithin([toCidr(text)], before.allowed_cidrs)));
  const raisesLimit =
    limit !== undefined &&
    before.rate_limit_per_minute !== null &&
    (limit === null || limit > before.rate_limit_per_minute);
  return addsScopes || lastsLonger || addsNetworks || raisesLimit;
}
