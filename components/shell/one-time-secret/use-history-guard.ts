'use client';

import { useEffect, useEffectEvent, useRef } from 'react';

const MARK = 'guardedEntry';

/**
 * Lets the browser's Back ask before it leaves. Opening pushes an entry with the same address; Back
 * then lands on the one below, is put back, and `onBack` is called. The returned function takes the
 * entry away again and resolves once that has happened, so that whoever navigates next isn't
 * overtaken by it.
 */
export function useHistoryGuard(onBack: () => void): () => Promise<void> {
  const isReleased = useRef(false);
  const back = useEffectEvent(onBack);

  useEffect(() => {
    isReleased.current = false;
    if (!isMarked()) pushEntry();
    function onPopState(event: PopStateEvent) {
      if (isReleased.current || isMarked()) return;
      // The address is the same on both entries, so the router has nothing to do; left alone, it
      // would draw the page anew and with it close what is being guarded.
      event.stopImmediatePropagation();
      pushEntry();
      back();
    }
    // Capturing, to stand before the router's own listener.
    window.addEventListener('popstate', onPopState, { capture: true });
    return () => window.removeEventListener('popstate', onPopState, { capture: true });
  }, []);

  return async () => {
    if (isReleased.current) return;
    isReleased.current = true;
    if (isMarked()) await leaveEntry();
  };
}

const GONE_AFTER_MS = 500;

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
    // A browser that swallows the event must not keep the page waiting.
    const timer = setTimeout(done, GONE_AFTER_MS);
    window.addEventListener('popstate', onPopState, { capture: true });
    window.history.back();
  });
}

function pushEntry() {
  window.history.pushState({ ...stateOf(window.history), [MARK]: true }, '');
}

function isMarked(): boolean {
  return stateOf(window.history)[MARK] === true;
}

function stateOf(history: History): Record<string, unknown> {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
