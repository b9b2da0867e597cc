import type { ApiKey } from '#lib/contract/api-keys.ts';

/** The key's own page, in its account. */
export function apiKeyPath({ uuid }: Pick<ApiKey, 'uuid'>): string {
  return `settings/api-keys/${uuid}`;
}
