'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { routeQuery } from '#lib/queries/route-query.ts';

/** Each search costs a request. */
const pauseMs = 200;

/** The accounts that installation support finds by typing; none before they search. */
export function useAccountSearch(accountId: string) {
  const [typed, setTyped] = useState<string | null>(null);
  const search = useSettled(typed);
  const {
    data = [],
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...routeQuery(accountId, 'searchAccounts', { query: { search: search ?? '' } }),
    placeholderData: keepPreviousData,
    enabled: search !== null,
  });
  return {
    found: data,
    search: setTyped,
    isLoading: isFetching || search !== typed,
    tryAgain: error === null ? undefined : () => void refetch(),
  };
}

/** Returns `typed` once it has not changed for a moment; immediately if it is empty. */
function useSettled(typed: string | null): string | null {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), typed === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
