'use client';

import { useSyncExternalStore } from 'react';

/**
 * Says in the markup whether the browser has taken over the part of the page around it, and answers
 * presses there: `data-hydrated` is "false" as the server sends it. Browser tests wait for that.
 */
export function HydrationMark() {
  return <span hidden data-hydrated={useIsHydrated()} />;
}

/**
 * Whether the browser has taken over the part of the page around it. False on the server and in the
 * first render of what the server sent.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribe, isInBrowser, isOnServer);
}

const subscribe = () => () => undefined;
const isInBrowser = () => true;
const isOnServer = () => false;
