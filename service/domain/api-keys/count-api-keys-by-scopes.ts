import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import type { Context } from '../../context.ts';
import type { AccountId } from '../account-id.ts';
import { scopesOfKey } from './rules.ts';
import { countActiveApiKeysByScopes } from './store/keys.ts';

/** How many keys of an account are neither revoked nor expired, for each list of scopes. */
export async function countApiKeysByScopes(
  ctx: Context,
  accountId: AccountId,
): Promise<KeysOfScopes[]> {
  const groups = new Map<string, KeysOfScopes>();
  for (const row of await countActiveApiKeysByScopes(ctx.db, accountId, ctx.clock.now())) {
    const scopes = scopesOfKey(row);
    const name = scopes.join(' ');
    groups.set(name, { scopes, count: row.count + (groups.get(name)?.count ?? 0) });
  }
  return [...groups.values()];
}
