'use client';

import { useEffect, useEffectEvent, useRef } from 'react';

import { ensureGuardedEntry, leaveGuardedEntry, onBackFromGuardedEntry } from './guarded-entry.ts';

/**
 * Calls `onBack` when the browser's Back is pressed, and stays on the page. The returned function
 * ends that and resolves once it is done, so that a navigation can follow.
 */
export function useHistoryGuard(onBack: () => void): () => Promise<void> {
  const isReleased = useRef(false);
  const stop = useRef(() => {});
  const back = useEffectEvent(onBack);

  useEffect(() => {
    isReleased.current = false;
    ensureGuardedEntry();
    stop.current = onBackFromGuardedEntry(() => back());
    return () => stop.current();
  }, []);

  return async () => {
    if (isReleased.current) return;
    isReleased.current = true;
    stop.current();
    await leaveGuardedEntry();
  };
}
