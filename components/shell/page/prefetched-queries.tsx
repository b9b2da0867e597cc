'use client';

import { HydrationBoundary } from '@tanstack/react-query';
import type { DehydratedState } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/**
 * Fills the query cache with what the server read, for the components below it.
 *
 * @param props.state the result of `prefetch`
 */
export function PrefetchedQueries({ state, children }: { state: string; children: ReactNode }) {
  return (
    <HydrationBoundary state={JSON.parse(state) as DehydratedState}>{children}</HydrationBoundary>
  );
}
