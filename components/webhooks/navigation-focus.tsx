'use client';

import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react';

const NavigationFocus = createContext<RefObject<string | null>>({ current: null });

/** Lets an act that leads to another page say what takes the focus there: left alone, nothing does. */
export function NavigationFocusProvider({ children }: { children: ReactNode }) {
  return <NavigationFocus value={useRef<string | null>(null)}>{children}</NavigationFocus>;
}

/** To be called before leaving, with the id of an element of the page to come. */
export function useFocusAfterNavigation(): (elementId: string) => void {
  const elementIdRef = use(NavigationFocus);
  return (elementId) => {
    elementIdRef.current = elementId;
  };
}

/**
 * Gives the focus to what was named before arriving, or to the page itself if that is not there.
 *
 * @param isReady what the page shows has been read
 */
export function useNavigationFocus(isReady: boolean): void {
  const elementIdRef = use(NavigationFocus);
  useEffect(() => {
    if (!isReady || elementIdRef.current === null) return;
    const target = document.getElementById(elementIdRef.current) ?? document.getElementById('main');
    elementIdRef.current = null;
    // Someone quicker has begun to work already.
    if (document.activeElement === document.body) target?.focus();
  }, [isReady, elementIdRef]);
}
