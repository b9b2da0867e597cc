import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RotationRequestHistoryPage } from '../api/rotation-requests.ts';
import type { RotationRequest, Rotator } from '../contract/api-keys/rotation-requests.ts';
import { toQueryString } from '../paths/query-string.ts';
import { firstCursor, read } from './read.ts';

/** The open requests that the person made or is named in, as the browser refetches them. */
export function rotationRequestsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['rotation-requests', accountId],
    queryFn: ({ signal }) => read<RotationRequest[]>(accountId, 'rotation-requests', signal),
  });
}

/**
 * The requests that the person can see, with their outcomes, newest first. Invalidating the open
 * ones also invalidates these.
 */
export function rotationRequestHistoryQuery(accountId: string) {
  return infiniteQueryOptions({
    queryKey: [...rotationRequestsQuery(accountId).queryKey, 'history'],
    queryFn: ({ pageParam: cursor, signal }) =>
      read<RotationRequestHistoryPage>(
        accountId,
        `rotation-request-history?${toQueryString({ cursor })}`,
        signal,
      ),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => last.older,
  });
}

/** One request, in any state. @param request its uuid */
export function rotationRequestQuery(accountId: string, request: string) {
  const path = `rotation-requests/${encodeURIComponent(request)}`;
  return queryOptions({
    queryKey: [...rotationRequestsQuery(accountId).queryKey, request],
    queryFn: ({ signal }) => read<RotationRequest>(accountId, path, signal),
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
