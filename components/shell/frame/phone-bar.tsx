import { Menu as MenuIcon } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

type PhoneBarProps = {
  title: string;
  /** The sidebar, in the sheet. `close`: to be called when a page is chosen. */
  renderSidebar: (close: () => void) => ReactNode;
  /** What stands at the end of the bar. */
  children?: ReactNode;
};

/** Replaces the sidebar on narrow screens: a bar, with the sidebar as a sheet from the left. */
export function PhoneBar({ title, renderSidebar, children }: PhoneBarProps) {
  // Renders rarely. Compiled for memoization, it would be larger.
  'use no memo';
  const opener = useRef<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <header className="sticky top-0 z-(--z-sticky) flex h-14 items-center gap-1 border-b border-line bg-sunken pr-2 pl-1 min-[60rem]:hidden print:hidden">
      <IconButton
        ref={opener}
        label="Open navigation"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        size="normal"
        className="size-11 [&>svg]:size-5!"
        icon={<MenuIcon />}
      />
      <Sheet shouldLoad={isOpen} isOpen={isOpen} onClose={close} opener={opener}>
        {renderSidebar(close)}
      </Sheet>
      <p className="min-w-0 flex-1 truncate font-semibold">{title}</p>
      {children}
    </header>
  );
}

const Sheet = lazyComponent(
  async () => (await import('./navigation/navigation-sheet.tsx')).NavigationSheet,
);
