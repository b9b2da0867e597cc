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
import { flushSync } from 'react-dom';
import { waitForAddress } from './address-changes.ts';

/** A navigation from the press of a link until its page is shown. */
export type PendingNavigation = {
  /** Increases with each navigation. */
  id: number;
  /** The full path of its page. */
  path: string;
  /** How much of the page is replaced: the page, or a tab of it whose heading stays. */
  extent: NavigationExtent;
};

type Navigation = {
  /** Calls the listener during each navigation. Returns a function that ends the subscription. */
  subscribe: (listener: NavigationListener) => () => void;
  /** Opens a page by its full path. `replace` puts it in place of the current history entry. */
  goTo: (path: string, method?: HistoryMethod, extent?: NavigationExtent) => void;
  /** Prefetches the data of the page at this full path, since it may be opened next. */
  warmUp: (path: string) => void;
  /** Leaves the page by other means, such as signing out. `go` runs once that is confirmed. */
  leave: (go: () => void) => void;
};

export type NavigationExtent = 'page' | 'tab';

/** Whether a page gets a history entry of its own. */
type HistoryMethod = 'push' | 'replace';

type NavigationListener = {
  /** Called in the event that starts it, to mark the pressed link immediately. */
  onPress?: (navigation: PendingNavigation) => void;
  /** Called in the next task, to show a skeleton: the browser can paint the pressed link first. */
  onPending?: (navigation: PendingNavigation) => void;
  /** Called in the transition that shows the page. */
  onShown: (navigation: PendingNavigation) => void;
};

/** A provider below can ask before the page is left; another one knows what its pages show. */
export const NavigationContext = createContext<Navigation | null>(null);

/**
 * Knows which page is being opened. All navigations go through it, so that only one link at a time
 * shows that it was pressed. Components subscribe to the pending navigation. If it were part of the
 * context, React would search the whole page for consumers at each press, which is slow on long
 * lists.
 */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [listeners] = useState(() => new Set<NavigationListener>());
  const latestNavigation = useRef<PendingNavigation>(null);

  function subscribe(listener: NavigationListener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  function goTo(path: string, method: HistoryMethod = 'push', extent: NavigationExtent = 'page') {
    const navigation = { id: (latestNavigation.current?.id ?? 0) + 1, path, extent };
    latestNavigation.current = navigation;
    for (const { onPress } of listeners) onPress?.(navigation);
    // Not to later subscribers, which would miss `onShown`.
    void announcePending(navigation, [...listeners]);
    const addressIsWritten = waitForAddress();
    if (addressIsWritten === null) open(navigation, method);
    else void addressIsWritten.then(() => isLatest(navigation) && open(navigation, method));
  }

  /** Whether no other link was pressed in the meantime. */
  const isLatest = (navigation: PendingNavigation) => latestNavigation.current === navigation;

  /** Tells these listeners in the next task, unless another link was pressed by then. */
  async function announcePending(
    navigation: PendingNavigation,
    present: readonly NavigationListener[],
  ) {
    await nextTask();
    if (!isLatest(navigation)) return;
    // Synchronously: otherwise React would render it in a later task, after the next frame.
    flushSync(() => {
      for (const { onPending } of present) onPending?.(navigation);
    });
  }

  function open(navigation: PendingNavigation, method: HistoryMethod) {
    startTransition(() => {
      router[method](navigation.path);
      for (const { onShown } of listeners) onShown(navigation);
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

export function usePendingNavigation(): PendingNavigation | null {
  const { subscribe } = useNavigation();
  const [pending, setPending] = useState<PendingNavigation | null>(null);
  const [shown, setShown] = useState<PendingNavigation | null>(null);
  useEffect(() => subscribe({ onPending: setPending, onShown: setShown }), [subscribe]);
  return pending !== null && pending.id > (shown?.id ?? 0) ? pending : null;
}

/** Lets the browser paint the changes of an event. A message, because browsers delay timers. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
