import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { rotationRequestsPath } from '../api-key-path.ts';

/** The path of the request's page. */
export function rotationRequestPath({ uuid }: Pick<RotationRequest, 'uuid'>): string {
  return `${rotationRequestsPath}/${uuid}`;
}
