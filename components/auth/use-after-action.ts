'use client';

import { useEffect, useEffectEvent, useState } from 'react';

type AfterAction = {
  /** Whether `goOn` was called. */
  isGoingOn: boolean;
  goOn: () => void;
};

/**
 * Calls `next` once the action has ended in which `goOn` was called, such as to leave for another
 * page by a full load. After an action that sets cookies, Next sends the page again; to leave before
 * it has arrived breaks it off, and Firefox then shows an error for a moment.
 * @see https://github.com/vercel/next.js/issues/81377
 * @param isPending whether the action is still running
 */
export function useAfterAction(isPending: boolean, next: () => void): AfterAction {
  const [isGoingOn, setGoingOn] = useState(false);
  const callNext = useEffectEvent(next);
  useEffect(() => {
    if (isGoingOn && !isPending) callNext();
  }, [isGoingOn, isPending]);
  return { isGoingOn, goOn: () => setGoingOn(true) };
}
