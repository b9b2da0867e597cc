'use client';

import { useRouter } from 'next/navigation';
import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';

import { waitForAddress } from './address-changes.ts';

/** A navigation from the press of a link until its page is shown. */
export type PendingNavigation = {
  /** The full path of its page. */
  path: string;
  /** How much of what is shown gives way to it: the page, or a tab of it whose heading stays. */
  extent: Extent;
};

type Navigation = {
  /**
   * Calls `listener` when a navigation starts, and with null in the transition that shows its page.
   * Returns a function that ends the subscription.
   */
  subscribe: (listener: Listener) => () => void;
  /** Opens a page by its full path. `replace` puts it in place of the current history entry. */
  goTo: (path: string, how?: Way, extent?: Extent) => void;
  /** Reads beforehand what the page at this full path shows, since it may be opened next. */
  warmUp: (path: string) => void;
  /** Leaves the page by other means, such as signing out. `go` runs now, or once that was confirmed. */
  leave: (go: () => void) => void;
};

export type Extent = 'page' | 'tab';

type Way = 'push' | 'replace';

type Listener = (pending: PendingNavigation | null) => void;

/**
 * A provider below this one can ask before the page is left; another one knows what its pages show.
 */
export const NavigationContext = createContext<Navigation | null>(null);

/**
 * Knows which page is being opened. All navigations go through it, so that only one link at a time
 * shows that it was pressed. Components subscribe to the pending navigation. If it were part of the
 * context, React would search the whole page for consumers at each press, which is slow on long lists.
 */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [listeners] = useState(() => new Set<Listener>());
  const latest = useRef<PendingNavigation>(null);

  function subscribe(listener: Listener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  function goTo(path: string, how: Way = 'push', extent: Extent = 'page') {
    const pending = { path, extent };
    latest.current = pending;
    // Outside of the transition, so that it is rendered at once.
    for (const listener of listeners) listener(pending);
    const addressIsWritten = waitForAddress();
    if (addressIsWritten === null) open(path, how);
    else void openAfter(addressIsWritten, pending, how);
  }

  async function openAfter(
    addressIsWritten: Promise<unknown>,
    pending: PendingNavigation,
    how: Way,
  ) {
    await addressIsWritten;
    // Unless another link was pressed meanwhile.
    if (latest.current === pending) open(pending.path, how);
  }

  function open(path: string, how: Way) {
    startTransition(() => {
      router[how](path);
      for (const listener of listeners) listener(null);
    });
  }

  return (
    <NavigationContext value={{ subscribe, goTo, warmUp: () => undefined, leave: (go) => go() }}>
      {children}
    </NavigationContext>
  );
}

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (navigation === null) throw new Error('useNavigation must be used within NavigationProvider.');
  return navigation;
}

/** The pending navigation; null if there is none. */
export function usePendingNavigation(): PendingNavigation | null {
  const { subscribe } = useNavigation();
  const [pending, setPending] = useState<PendingNavigation | null>(null);
  useEffect(() => subscribe(setPending), [subscribe]);
  return pending;
}
