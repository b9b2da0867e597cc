import { useEffect, useEffectEvent, useState } from 'react';

type AfterAction = {
  isProceeding: boolean;
  proceed: () => void;
};

/**
 * Calls `next` once the action in which `proceed` was called has ended, for example to leave for
 * another page by a full load. After an action that sets cookies, Next renders the page again.
 * Leaving before that response has arrived aborts it, and Firefox then shows an error for a moment.
 * @see https://github.com/vercel/next.js/issues/81377
 * @param isPending whether the action is still running
 */
export function useProceedAfterAction(isPending: boolean, next: () => void): AfterAction {
  const [isProceeding, setIsProceeding] = useState(false);
  const callNext = useEffectEvent(next);
  useEffect(() => {
    if (isProceeding && !isPending) callNext();
  }, [isProceeding, isPending]);
  return { isProceeding, proceed: () => setIsProceeding(true) };
}
