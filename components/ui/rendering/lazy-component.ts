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
const lastingFailures = 3;

/**
 * Loads a component after the page, because it is needed only after a press. It is loaded when the
 * browser is idle, or immediately when `shouldLoad` becomes true; if that fails, it is tried again
 * while `shouldLoad` is true, and the person is told: to reload the page, if it fails often.
 *
 * @returns the component, which renders nothing until it is loaded
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { shouldLoad: boolean }) => ReactNode {
  let component: ComponentType<Props> | null = null;
  let isLoading = false;
  let failures = 0;
  const listeners = new Set<() => void>();

  async function loadComponent() {
    if (isLoading || component !== null) return;
    isLoading = true;
    try {
      component = await load();
      failures = 0;
    } catch {
      // No network: the next call tries again.
      failures += 1;
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
    const failed = useSyncExternalStore(
      subscribe,
      () => failures,
      () => 0,
    );
    if (loaded !== null) return createElement(loaded, props as unknown as Props);
    if (!shouldLoad || failed === 0) return null;
    return createElement(LoadFailure, {
      isLasting: failed >= lastingFailures,
      onTryNow: () => void loadComponent(),
    });
  };
}
