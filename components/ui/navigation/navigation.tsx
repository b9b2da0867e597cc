'use client';

import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, use, useRef, useState, useTransition } from 'react';

import { waitForAddress } from './address-changes.ts';

type Navigation = {
  /**
   * The full path of the page that is being opened, from the press until the page is shown. Null:
   * none is.
   */
  destination: string | null;
  /** How much of what is shown gives way to it: the page, or a tab of it whose heading stays. */
  extent: Extent;
  /** Opens a page by its full path. `replace` puts it in place of the current history entry. */
  goTo: (path: string, how?: Way, extent?: Extent) => void;
  /** Reads beforehand what the page at this full path shows, since it may be opened next. */
  warmUp: (path: string) => void;
  /** Leaves the page by other means, such as signing out. `go` runs now, or once that was confirmed. */
  leave: (go: () => void) => void;
};

export type Extent = 'page' | 'tab';

type Way = 'push' | 'replace';

/**
 * A provider below this one can ask before the page is left; another one knows what its pages show.
 */
export const NavigationContext = createContext<Navigation | null>(null);

/**
 * Knows which page is being opened. All navigations go through it, so that only one link at a time
 * shows that it was pressed.
 */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [isOpening, startOpening] = useTransition();
  const [path, setPath] = useState<string | null>(null);
  const [extent, setExtent] = useState<Extent>('page');
  const latest = useRef<string>(null);

  function goTo(next: string, how: Way = 'push', of: Extent = 'page') {
    // Outside of the transition, so that it is rendered at once.
    setPath(next);
    setExtent(of);
    latest.current = next;
    const addressIsWritten = waitForAddress();
    if (addressIsWritten === null) startOpening(() => router[how](next));
    else startOpening(async () => await openAfter(addressIsWritten, next, how));
  }

  async function openAfter(addressIsWritten: Promise<unknown>, next: string, how: Way) {
    await addressIsWritten;
    // Another link was pressed meanwhile.
    if (latest.current !== next) return;
    // What follows an `await` is part of the transition only if it starts one again.
    startOpening(() => router[how](next));
  }

  return (
    <NavigationContext
      value={{
        destination: isOpening ? path : null,
        extent,
        goTo,
        warmUp: () => undefined,
        leave: (go) => go(),
      }}
    >
      {children}
    </NavigationContext>
  );
}

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (navigation === null) throw new Error('useNavigation must be used within NavigationProvider.');
  return navigation;
}
