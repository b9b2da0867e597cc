'use client';
// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Menu as MenuIcon } from 'lucide-react';
import { useRef, useState } from 'react';

import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { FrameProps } from './frame-props.ts';
import { PersonMenu } from './person-menu.tsx';

/** Replaces the sidebar on narrow screens: a bar, with the sidebar as a sheet from the left. */
export function PhoneBar(props: FrameProps) {
  const opener = useRef<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
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
      <Sheet
        {...props}
        shouldLoad={isOpen}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        opener={opener}
      />
      <p className="min-w-0 flex-1 truncate font-semibold">{props.session.account.name}</p>
      <PersonMenu {...props} isAvatarOnly />
    </header>
  );
}

const Sheet = lazyComponent(async () => (await import('./navigation-sheet.tsx')).NavigationSheet);
