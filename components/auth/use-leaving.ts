'use client';

import { useEffect, useState } from 'react';

type Leaving = { isLeaving: boolean; leaveFor: (path: string) => void };

/**
 * Leads to another page by a full load, so that no data of another person stays in memory.
 *
 * It waits until the action has ended. After an action that sets cookies, Next sends the page again;
 * to leave before it has arrived breaks it off, and Firefox then shows an error for a moment.
 * @see https://github.com/vercel/next.js/issues/81377
 * @param isPending whether the action is still running
 */
export function useLeaving(isPending: boolean): Leaving {
  const [destination, setDestination] = useState<string | null>(null);
  useEffect(() => {
    if (destination !== null && !isPending) window.location.replace(destination);
  }, [destination, isPending]);
  return { isLeaving: destination !== null, leaveFor: setDestination };
}
