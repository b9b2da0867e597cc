import { queryOptions } from '@tanstack/react-query';
import type { RotationRequest, Rotator } from '../contract/api-keys/rotation-requests.ts';
import { read } from './read.ts';

/** The open requests that the person made or is named in, as the browser refetches them. */
export function rotationRequestsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['rotation-requests', accountId],
    queryFn: ({ signal }) => read<RotationRequest[]>(accountId, 'rotation-requests', signal),
  });
}

/** The members who may rotate a key and see its token. @param apiKey uuid */
export function rotatorsQuery(accountId: string, apiKey: string) {
  return queryOptions({
    queryKey: ['rotators', accountId, apiKey],
    queryFn: ({ signal }) =>
      read<Rotator[]>(accountId, `api-keys/${encodeURIComponent(apiKey)}/rotators`, signal),
  });
}
