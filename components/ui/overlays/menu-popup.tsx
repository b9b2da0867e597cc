import { Menu as Base } from '@base-ui/react/menu';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { cn } from '#lib/class-names/cn.ts';
import { focusLeftPopup } from './focus-left-popup.ts';
import { MenuParts } from './menu-parts.ts';
import { popupClass } from './popup-class.ts';
import { useDeferredOpening } from './use-deferred-opening.ts';

type MenuPopupProps = {
  label: string;
  isOpen: boolean;
  onClose: () => void;
  /** Opened with the keyboard, so that the first item is highlighted. */
  isOpenedByKey: boolean;
  anchor: RefObject<HTMLButtonElement | null>;
  align: 'start' | 'end';
  side: 'top' | 'bottom';
  isAnchorWide: boolean;
  children: ReactNode;
};

/** A menu that can open. It renders nothing until then: each row of a list has one. */
export function MenuPopup({ isOpen: shouldOpen, ...props }: MenuPopupProps) {
  const isOpen = useDeferredOpening(shouldOpen);
  const [wasOpened, setWasOpened] = useState(false);
  // Mounted while it is still closed, or it would appear without its transition.
  if (shouldOpen && !wasOpened) setWasOpened(true);
  return wasOpened && <OpenedMenuPopup isOpen={isOpen} {...props} />;
}

function OpenedMenuPopup({
  label,
  isOpen,
  onClose,
  isOpenedByKey,
  anchor,
  align,
  side,
  isAnchorWide,
  children,
}: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const isFirstChosen = useRef(false);

  // The library's own trigger does this. Ours works before the library is loaded.
  function chooseFirst({ target, currentTarget }: FocusEvent<HTMLElement>) {
    if (!isOpenedByKey || target !== currentTarget || isFirstChosen.current) return;
    isFirstChosen.current = true;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  }

  /** From the button, the browser itself moves the focus to what follows it. */
  function leaveWithTab(event: KeyboardEvent) {
    if (event.key !== 'Tab' || event.shiftKey) return;
    anchor.current?.focus();
    onClose();
  }

  // The library puts elements that catch the focus where the menu is rendered. In the row of a table
  // they made the browser lay out the whole table whenever a menu opened and closed.
  return createPortal(
    <Base.Root
      open={isOpen}
      onOpenChange={(next) => !next && onClose()}
      onOpenChangeComplete={(next) => {
        if (!next) isFirstChosen.current = false;
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-(--z-menu)"
        >
          <Base.Popup
            ref={popup}
            onFocus={chooseFirst}
            onKeyDown={leaveWithTab}
            aria-label={label}
            finalFocus={() => !focusLeftPopup(popup.current) && anchor.current}
            className={cn(
              'max-h-(--available-height) overflow-y-auto p-1',
              popupClass,
              isAnchorWide ? 'w-(--anchor-width) min-w-54' : 'w-54 max-sm:w-58',
            )}
          >
            <MenuParts value={Base}>{children}</MenuParts>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>,
    document.body,
  );
}
