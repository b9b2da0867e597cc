'use client';

import { Toast } from '@base-ui/react/toast';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

/** Holds the page's toasts. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider limit={2} timeout={5000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-(--z-toast) flex flex-col items-end gap-2 sm:left-auto print:hidden">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

/**
 * For what nobody must read ("Order notifier paused"). Never a secret, never the only copy of an
 * error, never the only trace of an act.
 */
export function useToast(): (text: string) => void {
  const { add } = Toast.useToastManager();
  return (text) => {
    add({ title: text });
  };
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-3 bg-overlay shadow-menu transition-[opacity,translate] duration-(--base) data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-center gap-2.5 px-3.5 py-2.5">
        <CircleCheck aria-hidden className="text-ok-mark" />
        <Toast.Title render={<p />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
