import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef } from 'react';

export type PaletteProps = { isOpen: boolean; onClose: () => void };

type PaletteDialogProps = PaletteProps & {
  /** What is in it while it is open. @param input the field, which takes the focus */
  children: (input: RefObject<HTMLInputElement | null>) => ReactNode;
};

export function PaletteDialog({ isOpen, onClose, children }: PaletteDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-(--z-dialog) bg-scrim transition-opacity duration-(--base) data-ending-style:opacity-0 data-starting-style:opacity-0 print:hidden" />
        <Dialog.Viewport className="fixed inset-0 z-(--z-dialog) p-2 sm:pt-22">
          <Dialog.Popup
            aria-label="Go to"
            initialFocus={input}
            className="mx-auto flex max-h-[min(36rem,100%)] w-full max-w-150 flex-col rounded-5 bg-overlay shadow-dialog outline-none"
          >
            {children(input)}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
