import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode, RefObject } from 'react';

export type HintProps = {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  /** Whether screen readers announce it. */
  isSpoken?: boolean;
  onClose: () => void;
  children: ReactNode;
};

export function HintPopup({ anchor, open, isSpoken = false, onClose, children }: HintProps) {
  return (
    <Tooltip.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          anchor={anchor}
          sideOffset={6}
          collisionPadding={8}
          className="z-(--z-notice)"
        >
          <Tooltip.Popup
            role={isSpoken ? 'status' : undefined}
            className="max-w-72 rounded-3 bg-overlay px-2.5 py-2 text-micro text-pretty text-ink-2 shadow-menu"
          >
            {children}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
