'use client';

import { useInfiniteQuery } from '@tanstack/react-query';

import { deskRequestsQuery } from '#lib/queries/requests.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';

/** How many of the person's requests wait, as text; null if none does. */
export function useWaitingRequests(personId: string): string | null {
  const { data } = useInfiniteQuery({
    ...deskRequestsQuery(personId, 'open'),
    refetchInterval: pageRefetchInterval,
  });
  const [newest] = data?.pages ?? [];
  if (!newest || newest.data.length === 0) return null;
  return `${newest.data.length}${newest.next_cursor === null ? '' : '+'}`;
}
