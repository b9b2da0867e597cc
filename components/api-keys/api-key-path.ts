import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

/** The path of the list, below the account's path. */
export const apiKeysPath = 'settings/api-keys';

export function apiKeyPath({ uuid }: Pick<ApiKey, 'uuid'>): string {
  return `${apiKeysPath}/${uuid}`;
}

/** The id of the link to the key in the list. It takes the focus after the key was created. */
export function apiKeyLinkId({ uuid }: Pick<ApiKey, 'uuid'>): string {
  return `api-key-${uuid}`;
}

export const incidentsPath = `${apiKeysPath}/incident`;

export function incidentPath({ uuid }: { uuid: string }): string {
  return `${incidentsPath}/${uuid}`;
}

/** The path of the page with the old tokens that still work. */
export const oldTokensPath = `${apiKeysPath}/old-tokens`;
