'use client';

import { useEffect, useEffectEvent, useRef } from 'react';

const STATE_KEY = 'guardedEntry';

/**
 * Calls `onBack` when the browser's Back is pressed, and stays on the page. It pushes a history
 * entry with the same URL; Back then leaves only that entry, which is pushed again. The returned
 * function removes the entry and resolves once that is done, so that a navigation can follow.
 */
export function useHistoryGuard(onBack: () => void): () => Promise<void> {
  const isReleased = useRef(false);
  const back = useEffectEvent(onBack);

  useEffect(() => {
    isReleased.current = false;
    if (!isMarked()) pushEntry();
    function onPopState(event: PopStateEvent) {
      if (isReleased.current || isMarked()) return;
      // Both entries have the same URL, so the router has nothing to do. It would rerender the page
      // and close the guarded dialog.
      event.stopImmediatePropagation();
      pushEntry();
      back();
    }
    // Capture, to run before the router's own listener.
    window.addEventListener('popstate', onPopState, { capture: true });
    return () => window.removeEventListener('popstate', onPopState, { capture: true });
  }, []);

  return async () => {
    if (isReleased.current) return;
    isReleased.current = true;
    if (isMarked()) await leaveEntry();
  };
}

const POPSTATE_TIMEOUT_MS = 500;

function leaveEntry(): Promise<void> {
  return new Promise((resolve) => {
    function onPopState(event: PopStateEvent) {
      event.stopImmediatePropagation();
      done();
    }
    function done() {
      window.removeEventListener('popstate', onPopState, { capture: true });
      clearTimeout(timer);
      resolve();
    }
    // If the browser sends no event, the page must not wait forever.
    const timer = setTimeout(done, POPSTATE_TIMEOUT_MS);
    window.addEventListener('popstate', onPopState, { capture: true });
    window.history.back();
  });
}

function pushEntry() {
  window.history.pushState({ ...stateOf(window.history), [STATE_KEY]: true }, '');
}

function isMarked(): boolean {
  return stateOf(window.history)[STATE_KEY] === true;
}

function stateOf(history: History): Record<string, unknown> {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
