import { createContext, type ReactNode, useContext, useState } from 'react';
import { lazyComponent } from '../rendering/lazy-component.ts';

const ShowToast = createContext<((text: string) => void) | null>(null);

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
 * Returns a function that shows a toast, for messages that can be missed ("Order notifier paused").
 * Never for secrets, and never as the only place that shows an error or the result of an action.
 */
export function useToast(): (text: string) => void {
  const show = useContext(ShowToast);
  if (show === null) throw new Error('There is no place for toasts on this page.');
  return show;
}
