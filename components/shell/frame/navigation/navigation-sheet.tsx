import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';

type NavigationSheetProps = {
  isOpen: boolean;
  onClose: () => void;
  opener: RefObject<HTMLButtonElement | null>;
  /** The sidebar. */
  children: ReactNode;
};

export function NavigationSheet({ isOpen, onClose, opener, children }: NavigationSheetProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-(--z-dialog) bg-scrim transition-opacity duration-(--slow) data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label="Navigation"
          finalFocus={opener}
          className="fixed inset-y-0 left-0 z-(--z-dialog) w-72 max-w-[calc(100vw-3rem)] bg-sunken shadow-dialog transition-[translate] duration-(--slow) ease-(--ease) outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
        >
          {children}
          <Dialog.Close
            render={
              <IconButton
                label="Close navigation"
                icon={<X />}
                className="absolute top-2.5 -right-12 bg-overlay hover:bg-fill-hover"
              />
            }
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
