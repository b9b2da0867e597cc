import {
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useSyncExternalStore,
} from 'react';

import { LoadFailure } from './load-failure.tsx';
import { whenIdle } from './when-idle.ts';

const retryMs = 1000;

/**
 * Loads a component after the page, because it is needed only after a press. It is loaded when the
 * browser is idle, or at once when `shouldLoad` becomes true; if that fails, it is tried again
 * while `shouldLoad` is true, and the person is told.
 *
 * @returns the component, which renders nothing until it is loaded
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { shouldLoad: boolean }) => ReactNode {
  let component: ComponentType<Props> | null = null;
  let isLoading = false;
  let hasFailed = false;
  const listeners = new Set<() => void>();

  async function loadComponent() {
    if (isLoading || component !== null) return;
    isLoading = true;
    try {
      component = await load();
      hasFailed = false;
    } catch {
      // No network: the next call tries again.
      hasFailed = true;
    } finally {
      isLoading = false;
    }
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return function LazyComponent({ shouldLoad, ...props }) {
    useEffect(() => {
      if (component !== null) return;
      if (!shouldLoad) return whenIdle(() => void loadComponent());
      void loadComponent();
      const timer = setInterval(() => void loadComponent(), retryMs);
      return () => clearInterval(timer);
    }, [shouldLoad]);
    const loaded = useSyncExternalStore(
      subscribe,
      () => component,
      () => null,
    );
    const isMissing = useSyncExternalStore(
      subscribe,
      () => hasFailed,
      () => false,
    );
    if (loaded !== null) return createElement(loaded, props as unknown as Props);
    if (!shouldLoad || !isMissing) return null;
    return createElement(LoadFailure, { onTryNow: () => void loadComponent() });
  };
}
