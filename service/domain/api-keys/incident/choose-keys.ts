import type { IncidentKeyFilters } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import type { Context } from '../../../context.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { canonicalNetwork, isInNetworks } from '../../../network/networks.ts';
import type { AccountId } from '../../account-id.ts';
import { invalid } from '../../errors.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import { listTokensUsedFrom } from '../store/token-uses.ts';

/** How a filter refers to the creator of keys. */
export function creatorOf({ kind, id }: ActorReference): string {
  return `${kind}:${id ?? ''}`;
}

/**
 * The active keys of an account that match all filters. An address matches a key if
 * one of its valid tokens was used from there in the last 30 days, or if it is the last address of
 * such a token.
 *
 * @throws ServiceError VALIDATION_ERROR on `address`
 */
export async function chooseKeys(
  ctx: Pick<Context, 'db'>,
  accountId: AccountId,
  { keys, filters }: { keys: readonly ApiKeyWithTokens[]; filters: IncidentKeyFilters },
): Promise<ApiKeyWithTokens[]> {
  const { created_by: creator, created_after: after, created_before: before } = filters;
  const wasUsedThere = await findUseFrom(ctx, accountId, filters.address?.trim() ?? '');
  return keys.filter(
    ({ key, tokens }) =>
      (creator === undefined || creatorOf(key.createdBy) === creator) &&
      (after === undefined || key.createdAt >= new Date(after)) &&
      (before === undefined || key.createdAt < new Date(before)) &&
      tokens.some(wasUsedThere),
  );
}

async function findUseFrom(
  ctx: Pick<Context, 'db'>,
  accountId: AccountId,
  address: string,
): Promise<(token: { id: number; lastUsedIp: string | null }) => boolean> {
  if (address === '') return () => true;
  const network = canonicalNetwork(address);
  if (network === null) {
    throw invalid('address', 'Use an address or a network, such as 203.0.113.7 or 203.0.113.0/24.');
  }
  const seen = new Set(await listTokensUsedFrom(ctx.db, accountId, network));
  // The last address is kept for longer than 30 days.
  return ({ id, lastUsedIp }) =>
    seen.has(id) || (lastUsedIp !== null && isInNetworks(lastUsedIp, [network]));
}
