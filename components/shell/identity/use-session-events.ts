'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import { ApiError } from '#lib/api/api-error.ts';

type SessionEvents = {
  /** A query failed because the session has ended. */
  onSignedOut: () => void;
  /** A query asked for something that does not exist, or that this person may not see. */
  onRefused: () => void;
  /** The session was read successfully. */
  onSignedIn: () => void;
};

/** Watches the results of all queries for the end and the renewal of the session. */
export function useSessionEvents({ onSignedOut, onRefused, onSignedIn }: SessionEvents) {
  const queryClient = useQueryClient();
  const signedOut = useEffectEvent(onSignedOut);
  const refused = useEffectEvent(onRefused);
  const signedIn = useEffectEvent(onSignedIn);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action, query } = event;
        const isSession = query.queryHash.startsWith('["session",');
        if (action.type === 'success' && isSession) signedIn();
        if (action.type !== 'error' || !(action.error instanceof ApiError)) return;
        if (action.error.code === 'UNAUTHORIZED') signedOut();
        if (isAboutMembership(action.error.code) && !isSession) refused();
      }),
    [queryClient],
  );
}

/** Whether an error may mean that the person is no longer in the account, or has another role. */
export function isAboutMembership(code: string): boolean {
  return code === 'NOT_FOUND' || code === 'FORBIDDEN';
}
