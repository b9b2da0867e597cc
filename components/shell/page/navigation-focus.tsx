'use client';

import { usePathname } from 'next/navigation';
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import { useFullPath } from '#components/ui/navigation/base-path.ts';

/** An element that takes the focus when a page is opened next. */
type PendingFocus = {
  /** The full path of the page, without a query. */
  page: string;
  elementId: string;
};

const NavigationFocus = createContext<RefObject<PendingFocus | null>>({ current: null });

/**
 * Moves the focus when a page is opened: to the element that was set for this page; otherwise, if
 * the pressed link is gone, to the title. A link that stays, as in the sidebar, keeps the focus. It
 * is above all layouts, because a link can lead from one into another.
 */
export function NavigationFocusProvider({ children }: { children: ReactNode }) {
  const pendingFocusRef = useRef<PendingFocus | null>(null);
  const pathname = usePathname();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (pendingFocusRef.current?.page === pathname) return;
    // Another page was opened instead.
    pendingFocusRef.current = null;
    if (document.activeElement !== document.body) return;
    // Without scrolling: Back returns to a place further down.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [pathname]);
  return <NavigationFocus value={pendingFocusRef}>{children}</NavigationFocus>;
}

/** Returns a function to call before a navigation to `page`, to focus `elementId` on it. */
export function useFocusAfterNavigation(): (elementId: string, page: string) => void {
  const pendingFocusRef = use(NavigationFocus);
  const fullPath = useFullPath();
  return (elementId, page) => {
    pendingFocusRef.current = { elementId, page: fullPath(page).replace(/[?#].*/, '') };
  };
}

/**
 * Moves the focus to the element that was set before the navigation, or to the page if it does not
 * exist.
 *
 * @param isReady whether the page's data has been read
 * @returns the ID that was set, as long as the page is open; null if none was
 */
export function useNavigationFocus(isReady: boolean): string | null {
  const pendingFocusRef = use(NavigationFocus);
  const pathname = usePathname();
  const [sought, setSought] = useState<string | null>(null);
  // Rendered with the rows of a long list that follow its first ones.
  const areRowsShown = useDeferredValue(isReady, false);
  useEffect(() => {
    if (!areRowsShown || pendingFocusRef.current?.page !== pathname) return;
    const { elementId } = pendingFocusRef.current;
    pendingFocusRef.current = null;
    setSought(elementId);
    const element = document.getElementById(elementId) ?? document.getElementById('main');
    // Only if the person has not moved the focus already.
    if (document.activeElement === document.body) element?.focus();
  }, [areRowsShown, pendingFocusRef, pathname]);
  // A page that is left keeps its state while it is hidden. Unlike others, layout effects end then.
  useLayoutEffect(() => () => setSought(null), []);
  return sought;
}
