'use client';

import { type ReactNode, useEffect } from 'react';
import { hydratedEvent } from './replay-early-click.ts';
import { useIsHydrated } from './use-is-hydrated.ts';

/**
 * The element around all that pages show. Its `data-hydrated` says whether the browser has taken
 * the page over and reacts to presses; browser tests wait for that. Until then `replayEarlyClick`
 * holds the press of a button, which is repeated here.
 */
export function AppRoot({ children }: { children: ReactNode }) {
  const isHydrated = useIsHydrated();
  useEffect(() => {
    if (!isHydrated) return;
    // After the fields have reported their values, which `useInputBeforeHydration` does in
    // microtasks too.
    queueMicrotask(() => window.dispatchEvent(new Event(hydratedEvent)));
  }, [isHydrated]);
  return (
    <div data-app-root="" data-hydrated={isHydrated}>
      {children}
    </div>
  );
}
