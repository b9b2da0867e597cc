import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import type { DeskRequestPage } from '../api/support-desk.ts';
import type { RotationRequestState } from '../contract/api-keys/rotation-reasons.ts';
import { toQueryString } from '../paths/query-string.ts';
import { firstCursor, readDesk } from './read.ts';

/**
 * The rotation requests that the person made in all accounts that they can open, newest first.
 * @param personId whom the page was made for
 * @param state null: every state
 */
export function deskRequestsQuery(personId: string, state: RotationRequestState | null) {
  return infiniteQueryOptions({
    queryKey: ['desk-requests', personId, state],
    queryFn: ({ pageParam: cursor, signal }) =>
      readDesk<DeskRequestPage>(`requests?${toQueryString({ state, cursor })}`, signal),
    initialPageParam: firstCursor,
    getNextPageParam: (last) => last.older,
    placeholderData: keepPreviousData,
  });
}
