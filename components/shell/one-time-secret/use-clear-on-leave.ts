'use client';

import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/**
 * Calls `clear`, which removes a secret from the state, before the page enters the back-forward
 * cache, and then `onCleared`.
 */
export function useClearOnLeave(clear: () => void, onCleared?: () => void): void {
  const onHide = useEffectEvent(() => {
    // The page is frozen right after this event, so React must render before it ends.
    flushSync(clear);
    onCleared?.();
  });
  useEffect(() => {
    const listener = () => onHide();
    window.addEventListener('pagehide', listener);
    return () => window.removeEventListener('pagehide', listener);
  }, []);
}
