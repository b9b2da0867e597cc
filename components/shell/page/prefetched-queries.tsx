'use client';

import { HydrationBoundary } from '@tanstack/react-query';
import type { DehydratedState } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/**
 * Fills the query cache with what the server read, for the components below it.
 *
 * @param props.state the result of `prefetch`: JSON, or null if nothing was read
 */
export function PrefetchedQueries({
  state,
  children,
}: {
  state: string | null;
  children: ReactNode;
}) {
  const parsed = state === null ? null : (JSON.parse(state) as DehydratedState);
  return <HydrationBoundary state={parsed}>{children}</HydrationBoundary>;
}
