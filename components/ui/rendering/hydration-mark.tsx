'use client';

import { useSyncExternalStore } from 'react';

/**
 * Says in the markup whether the browser has taken over the part of the page around it, and answers
 * presses there: `data-hydrated` is "false" as the server sends it. Browser tests wait for that.
 */
export function HydrationMark() {
  const isHydrated = useSyncExternalStore(subscribe, isInBrowser, isOnServer);
  return <span hidden data-hydrated={isHydrated} />;
}

const subscribe = () => () => undefined;
const isInBrowser = () => true;
const isOnServer = () => false;
