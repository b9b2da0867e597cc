import { useEffect, useSyncExternalStore } from 'react';
import { minuteMs } from '#lib/durations.ts';

/**
 * The current time, updated once a minute while the page is visible. Null on the server and during
 * hydration, when the reader's clock and time zone are not known.
 */
export function useNow(): Date | null {
  return useSyncExternalStore(subscribe, () => current, serverNow);
}

/** The current time; on the server and during hydration, the time of the rendering. */
export function useEstimatedNow(): Date {
  return useSyncExternalStore(subscribe, () => current, estimateNow);
}

// One timer for the whole page, however many rows use it.
const listeners = new Set<() => void>();
let current = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

const estimateLastsMs = 1000;
let estimate = new Date();

// React reads a snapshot more than once per render and needs the same object each time.
function estimateNow(): Date {
  if (Date.now() - estimate.getTime() > estimateLastsMs) estimate = new Date();
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
    // Data from a refetch can be newer than the last tick.
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
  timer = setInterval(tick, minuteMs);
}

/** Updates the time every few seconds while `isRecent`, for times shown in seconds. */
export function useSeconds(isRecent: boolean): void {
  useEffect(() => {
    if (!isRecent) return undefined;
    const seconds = setInterval(() => !document.hidden && tick(), recentTickMs);
    return () => clearInterval(seconds);
  }, [isRecent]);
}

const recentTickMs = 5000;

function tick() {
  current = new Date();
  for (const listener of listeners) listener();
}
