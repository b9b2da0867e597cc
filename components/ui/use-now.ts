'use client';

import { useSyncExternalStore } from 'react';

/**
 * The present, moving once a minute while the page is seen. `null` on the server and while the
 * browser takes over its markup, where neither the reader's clock nor zone is known.
 */
export function useNow(): Date | null {
  return useSyncExternalStore(subscribe, () => current, serverNow);
}

/** The present even where it can only be guessed: on the server, and while its markup is taken over. */
export function useEstimatedNow(): Date {
  return useSyncExternalStore(subscribe, () => current, estimateNow);
}

const MINUTE_MS = 60_000;

// One clock for the page: a hundred rows tick together and cost one timer.
const listeners = new Set<() => void>();
let current = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

const ESTIMATE_LASTS_MS = 1000;
let estimate = new Date();

// React reads a snapshot more than once per render and wants the same object each time.
function estimateNow(): Date {
  if (Date.now() - estimate.getTime() > ESTIMATE_LASTS_MS) estimate = new Date();
  return estimate;
}

function serverNow(): null {
  return null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', followVisibility);
    followVisibility();
  } else if (Date.now() - current.getTime() > 1000) {
    // Rows that came after a refetch are newer than the last tick.
    queueMicrotask(tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', followVisibility);
    clearInterval(timer);
  };
}

function followVisibility() {
  clearInterval(timer);
  if (document.hidden) return;
  tick();
  timer = setInterval(tick, MINUTE_MS);
}

function tick() {
  current = new Date();
  for (const listener of listeners) listener();
}
