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

/** A page that is being opened, from the press until the page is shown. */
export type Opening = {
  /** Its full path. */
  path: string;
  /** How much of what is shown gives way to it: the page, or a tab of it whose heading stays. */
  extent: Extent;
};

type Navigation = {
  /**
   * Calls `listener` with each page that is being opened, and with null in the transition that shows
   * it, until the returned function is called.
   */
  watch: (listener: Listener) => () => void;
  /** Opens a page by its full path. `replace` puts it in place of the current history entry. */
  goTo: (path: string, how?: Way, extent?: Extent) => void;
  /** Reads beforehand what the page at this full path shows, since it may be opened next. */
  warmUp: (path: string) => void;
  /** Leaves the page by other means, such as signing out. `go` runs now, or once that was confirmed. */
  leave: (go: () => void) => void;
};

export type Extent = 'page' | 'tab';

type Way = 'push' | 'replace';

type Listener = (opening: Opening | null) => void;

/**
 * A provider below this one can ask before the page is left; another one knows what its pages show.
 */
export const NavigationContext = createContext<Navigation | null>(null);

/**
 * Knows which page is being opened. All navigations go through it, so that only one link at a time
 * shows that it was pressed. It tells those who asked, and keeps no state: a context that changes
 * makes React look for its users in the whole page, which takes long where the page is.
 */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [listeners] = useState(() => new Set<Listener>());
  const latest = useRef<Opening>(null);

  function watch(listener: Listener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  function goTo(path: string, how: Way = 'push', extent: Extent = 'page') {
    const opening = { path, extent };
    latest.current = opening;
    // Outside of the transition, so that it is rendered at once.
    for (const listener of listeners) listener(opening);
    const addressIsWritten = waitForAddress();
    if (addressIsWritten === null) open(path, how);
    else void openAfter(addressIsWritten, opening, how);
  }

  async function openAfter(addressIsWritten: Promise<unknown>, opening: Opening, how: Way) {
    await addressIsWritten;
    // Unless another link was pressed meanwhile.
    if (latest.current === opening) open(opening.path, how);
  }

  function open(path: string, how: Way) {
    startTransition(() => {
      router[how](path);
      for (const listener of listeners) listener(null);
    });
  }

  return (
    <NavigationContext value={{ watch, goTo, warmUp: () => undefined, leave: (go) => go() }}>
      {children}
    </NavigationContext>
  );
}

export function useNavigation(): Navigation {
  const navigation = use(NavigationContext);
  if (navigation === null) throw new Error('useNavigation must be used within NavigationProvider.');
  return navigation;
}

/** The page that is being opened. Null: none is. */
export function useOpening(): Opening | null {
  const { watch } = useNavigation();
  const [opening, setOpening] = useState<Opening | null>(null);
  useEffect(() => watch(setOpening), [watch]);
  return opening;
}
