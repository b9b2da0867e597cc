'use client';

import { hashKey, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { isNotFound } from '#lib/queries/while-permitted.ts';

/** Refetches what the page is about once a part of it is not found, because it may be deleted. */
export function useRefetchAfterNotFound(queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const hash = hashKey(queryKey);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        if (event.query.queryHash === hash || !isNotFound(event.action.error)) return;
        void queryClient.invalidateQueries({ predicate: (query) => query.queryHash === hash });
      }),
    [queryClient, hash],
  );
}
