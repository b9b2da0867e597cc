import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#lib/api/api-error.ts';

/** The items older than those that a list shows, for `LoadOlder`. */
export type OlderPages = {
  /** Whether there may be more to load. */
  hasMore: boolean;
  isLoading: boolean;
  /** Why older ones could not be loaded. */
  error: Error | null;
  /** When that was, in Unix milliseconds. */
  failedAt: number;
  load: () => void;
};

type PagedRead = Pick<
  UseInfiniteQueryResult,
  | 'error'
  | 'errorUpdatedAt'
  | 'fetchNextPage'
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
>;

/** Separates the error of loading older items, shown at its button, from that of the list. */
export function useOlderPages<Read extends PagedRead>(
  read: Read,
): { read: Read & { error: Error | null }; older: OlderPages } {
  const { error } = read;
  // The query forgets the failed read as soon as it reads the list again, but keeps the error until
  // then.
  const [latest, setLatest] = useState<Error | null>(null);
  if (read.isFetchNextPageError && error !== latest) setLatest(error);
  const isOfOlder = error !== null && error === latest && !isAboutPerson(error);
  return {
    read: { ...read, error: isOfOlder ? null : error },
    older: {
      hasMore: read.hasNextPage,
      isLoading: read.isFetchingNextPage,
      error: isOfOlder ? error : null,
      failedAt: read.errorUpdatedAt,
      load: () => void read.fetchNextPage(),
    },
  };
}

/** Whether the error is about the person, who then can no longer read the list at all. */
function isAboutPerson(error: Error): boolean {
  return error instanceof ApiError && (error.code === 'UNAUTHORIZED' || error.code === 'FORBIDDEN');
}
