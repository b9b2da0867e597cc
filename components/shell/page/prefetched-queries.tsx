'use client';

import { HydrationBoundary } from '@tanstack/react-query';
import type { DehydratedState } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** Fills the cache with what `prefetch` read on the server, for the components below. */
export function PrefetchedQueries({ state, children }: { state: string; children: ReactNode }) {
  return (
    <HydrationBoundary state={JSON.parse(state) as DehydratedState}>{children}</HydrationBoundary>
  );
}
