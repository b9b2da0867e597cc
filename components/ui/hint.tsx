'use client';

import { Tooltip } from '@base-ui/react/tooltip';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';

type HintProps = {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** A short remark beside the control it is about. Opened by a press, so that fingers and keys reach it too. */
export function Hint({ anchor, open, onClose, children }: HintProps) {
  if (!open) return null;
  return (
    <Tooltip.Root open onOpenChange={(next) => !next && onClose()}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={anchor}
          sideOffset={6}
          collisionPadding={8}
          className="z-(--z-toast)"
        >
          <Tooltip.Popup
            role="status"
            className="max-w-72 rounded-3 bg-overlay px-2.5 py-2 text-micro text-pretty text-ink-2 shadow-menu"
          >
            {children}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

const SHOWN_MS = 6000;

/** Open for some seconds, or until Escape. */
export function useHint(): { open: boolean; show: () => void; hide: () => void } {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const hide = () => setOpen(false);
    const timer = setTimeout(hide, SHOWN_MS);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Tab') hide();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return { open, show: () => setOpen(true), hide: () => setOpen(false) };
}
