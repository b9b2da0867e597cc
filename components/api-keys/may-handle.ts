import type { ApiKey } from '#lib/contract/api-keys.ts';
import { type Role, roleTable } from '#lib/contract/roles.ts';
import { isWithinScopes } from '#lib/contract/scopes.ts';

/** Whether a key opens no more than this role may, so that the service lets it act upon the tokens. */
export function mayHandle(role: Role, { scopes }: Pick<ApiKey, 'scopes'>): boolean {
  return isWithinScopes(scopes, roleTable[role].ceiling);
}
