'use client';

import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react';

const NavigationFocus = createContext<RefObject<string | null>>({ current: null });

/**
 * Stores which element takes the focus on the next page. Without it, the title takes the focus if
 * the pressed link is gone; a link that stays, as in the sidebar, keeps it.
 */
export function NavigationFocusProvider({ children }: { children: ReactNode }) {
  const elementIdRef = useRef<string | null>(null);
  const pathname = usePathname();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (elementIdRef.current !== null || document.activeElement !== document.body) return;
    // Without scrolling: Back returns to a place further down.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [pathname]);
  return <NavigationFocus value={elementIdRef}>{children}</NavigationFocus>;
}

/** Returns a function to call before a navigation, with the ID of an element on the next page. */
export function useFocusAfterNavigation(): (elementId: string) => void {
  const elementIdRef = use(NavigationFocus);
  return (elementId) => {
    elementIdRef.current = elementId;
  };
}

/**
 * Moves the focus to the element that was set before the navigation, or to the page if it does not
 * exist.
 *
 * @param isReady whether the page's data has been read
 */
export function useNavigationFocus(isReady: boolean): void {
  const elementIdRef = use(NavigationFocus);
  useEffect(() => {
    if (!isReady || elementIdRef.current === null) return;
    const target = document.getElementById(elementIdRef.current) ?? document.getElementById('main');
    elementIdRef.current = null;
    // Only if the person has not moved the focus already.
    if (document.activeElement === document.body) target?.focus();
  }, [isReady, elementIdRef]);
}
