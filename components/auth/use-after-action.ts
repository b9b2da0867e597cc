'use client';

import { useEffect, useEffectEvent, useState } from 'react';

type AfterAction = {
  /** Whether `proceed` was called. */
  isProceeding: boolean;
  proceed: () => void;
};

/**
 * Calls `next` once the action has ended in which `proceed` was called, such as to leave for another
 * page by a full load. After an action that sets cookies, Next sends the page again; to leave before
 * it has arrived breaks it off, and Firefox then shows an error for a moment.
 * @see https://github.com/vercel/next.js/issues/81377
 * @param isPending whether the action is still running
 */
export function useProceedAfterAction(isPending: boolean, next: () => void): AfterAction {
  const [isProceeding, setGoingOn] = useState(false);
  const callNext = useEffectEvent(next);
  useEffect(() => {
    if (isProceeding && !isPending) callNext();
  }, [isProceeding, isPending]);
  return { isProceeding, proceed: () => setGoingOn(true) };
}
