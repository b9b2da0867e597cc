import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { useDeferredOpening } from './use-deferred-opening.ts';

type DrawerProps = {
  open: boolean;
  /** Called on X or Escape. A press outside does not close it. */
  onClose: () => void;
  /** The accessible name. */
  title: ReactNode;
  /** Small buttons before the close button. */
  actions?: ReactNode;
  /** Where the focus returns to. */
  finalFocus: () => HTMLElement | null;
  /** `DrawerPart`s. */
  children: ReactNode;
};

/** A panel at the right edge, without a backdrop. It traps the focus: it may cover the page. */
export function Drawer({ open, onClose, title, actions, finalFocus, children }: DrawerProps) {
  const popup = useRef<HTMLDivElement | null>(null);
  const isOpen = useDeferredOpening(open);
  return (
    <Base.Root
      open={isOpen}
      // A press on the page takes the focus out of the drawer, and may open another item in it.
      onOpenChange={(next, { reason }) => !next && reason !== 'focus-out' && onClose()}
      modal="trap-focus"
      disablePointerDismissal
    >
      <Base.Portal>
        <Base.Popup
          ref={popup}
          data-drawer
          initialFocus={popup}
          finalFocus={finalFocus}
          className="fixed inset-y-0 right-0 z-(--z-drawer) flex w-140 max-w-full flex-col overflow-y-auto overscroll-contain bg-overlay shadow-dialog transition-[translate,opacity] duration-(--slow) ease-(--ease) outline-none data-ending-style:translate-x-6 data-ending-style:opacity-0 data-starting-style:translate-x-6 data-starting-style:opacity-0 print:hidden"
        >
          <header className="sticky top-0 z-1 flex items-center gap-1 border-b border-line bg-overlay py-3 pr-4 pl-6 max-sm:py-1.5 max-sm:pr-1.5 max-sm:pl-4">
            <Base.Title className="mr-auto min-w-0 text-body font-normal">{title}</Base.Title>
            {actions}
            <Base.Close render={<IconButton label="Close" icon={<X />} />} />
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
