import { useSyncExternalStore } from 'react';

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
