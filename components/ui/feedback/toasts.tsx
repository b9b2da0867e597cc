import { Toast } from '@base-ui/react/toast';
import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';

type ToastsProps = {
  /** Texts that are not shown yet. */
  waiting: readonly string[];
  /** Called when the first `count` texts are shown. */
  onTaken: (count: number) => void;
};

export function Toasts(props: ToastsProps) {
  return (
    <Toast.Provider limit={1} timeout={5000}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-(--z-toast) flex flex-col items-end gap-2 sm:left-auto print:hidden">
          <Stack {...props} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Stack({ waiting, onTaken }: ToastsProps) {
  const { toasts, add } = Toast.useToastManager();

  useEffect(() => {
    if (waiting.length === 0) return;
    for (const text of waiting) add({ title: text });
    onTaken(waiting.length);
  }, [waiting, onTaken, add]);

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
