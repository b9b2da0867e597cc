import { useSyncExternalStore } from 'react';

/** Whether this part of the page is hydrated. False on the server and in the first render. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(subscribe, isInBrowser, isOnServer);
}

const subscribe = () => () => undefined;
const isInBrowser = () => true;
const isOnServer = () => false;
