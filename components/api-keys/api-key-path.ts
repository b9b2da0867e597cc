import type { ApiKey } from '#lib/contract/api-keys.ts';

/** The path of the key's page, below the account's path. */
export function apiKeyPath({ uuid }: Pick<ApiKey, 'uuid'>): string {
  return `settings/api-keys/${uuid}`;
}
