import {
  type QueryKey,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { subscribeToSessionChanges } from '#lib/session/session-channel.ts';

type WatchedSession<Data> = { current: Data; error: Error | null };

/**
 * Who is signed in now, in which account. Read again on each return to the tab, and when another
 * tab signed someone in or out: all tabs share one session.
 *
 * @param initial the session with which the page was rendered
 */
export function useWatchedSession<Data, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, Data, Key>,
  initial: Data,
): WatchedSession<Data> {
  const [renderedAt] = useState(() => Date.now());
  const client = useQueryClient();
  const {
    data: current = initial,
    error,
    refetch,
  } = useQuery({
    ...query,
    initialData: initial,
    initialDataUpdatedAt: renderedAt,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  });
  const keepNewer = useEffectEvent(() =>
    client.setQueryData<Data>(query.queryKey as QueryKey, initial),
  );
  useEffect(() => void keepNewer(), [initial]);
  const readAgain = useEffectEvent(() => void refetch());
  useEffect(() => subscribeToSessionChanges(() => readAgain()), []);
  return { current, error };
}
