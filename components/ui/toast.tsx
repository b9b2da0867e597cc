'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';

import { lazyComponent } from './lazy-component.ts';

const ShowToast = createContext<((text: string) => void) | null>(null);

/** Holds the page's toasts. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  return (
    <ShowToast value={(text) => setWaiting((texts) => [...texts, text])}>
      {children}
      <Toasts
        shouldLoad={waiting.length > 0}
        waiting={waiting}
        onTaken={(count) => setWaiting((texts) => texts.slice(count))}
      />
    </ShowToast>
  );
}

const Toasts = lazyComponent(async () => (await import('./toasts.tsx')).Toasts);

/**
 * For what nobody must read ("Order notifier paused"). Never a secret, never the only copy of an
 * error, never the only trace of an act.
 */
export function useToast(): (text: string) => void {
  const show = useContext(ShowToast);
  if (show === null) throw new Error('There is no place for toasts on this page.');
  return show;
}
