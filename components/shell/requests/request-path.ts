import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/** The path of the list of requests, below the account's path. */
export const requestsPath = 'settings/rotation-requests';

export function requestPath({ uuid }: Pick<RotationRequest, 'uuid'>): string {
  return `${requestsPath}/${uuid}`;
}
