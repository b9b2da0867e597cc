'use client';

import { Dialog } from '@base-ui/react/dialog';
import { Menu as MenuIcon, X } from 'lucide-react';
import { useState } from 'react';

import { IconButton } from '#components/ui/icon-button.tsx';

import type { FrameProps } from './frame-props.ts';
import { PersonMenu } from './person-menu.tsx';
import { Sidebar } from './sidebar.tsx';

/** The sidebar's stand-in on narrow screens: a bar, and the sidebar as a sheet from the left. */
export function PhoneBar(props: Omit<FrameProps, 'children'>) {
  const [open, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-(--z-sticky) flex h-14 items-center gap-1 border-b border-line bg-sunken pr-2 pl-1 min-[60rem]:hidden print:hidden">
      <Dialog.Root open={open} onOpenChange={setOpen}>
        <Dialog.Trigger
          render={
            <IconButton
              label="Open navigation"
              size="normal"
              className="size-11 [&>svg]:size-5!"
              icon={<MenuIcon />}
            />
          }
        />
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-(--z-dialog) bg-scrim transition-opacity duration-(--slow) data-ending-style:opacity-0 data-starting-style:opacity-0" />
          <Dialog.Popup
            aria-label="Navigation"
            className="fixed inset-y-0 left-0 z-(--z-dialog) w-72 max-w-[calc(100vw-3rem)] bg-sunken shadow-dialog transition-[translate] duration-(--slow) ease-(--ease) outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
          >
            <Sidebar {...props} onNavigate={() => setOpen(false)} />
            <Dialog.Close
              render={
                <IconButton
                  label="Close navigation"
                  icon={<X />}
                  className="absolute top-2.5 -right-12 bg-overlay"
                />
              }
            />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <p className="min-w-0 flex-1 truncate font-semibold">{props.account.name}</p>
      <PersonMenu person={props.person} signOut={props.signOut} isTileOnly />
    </header>
  );
}
