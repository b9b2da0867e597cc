'use client';

import { LogOut } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#components/ui/overlays/menu.tsx';

import { LazySignOutDialog } from '../../identity/sign-out/lazy-sign-out-dialog.tsx';
import { useSignOut } from '../../identity/sign-out/use-sign-out.ts';
import { avatarTrigger, nameTrigger } from './person-menu-triggers.tsx';
import { themes, useTheme } from './use-theme.ts';

type OwnMenuProps = {
  person: { name: string; email: string };
  /** What stands below the name. */
  role: string;
  /** The accessible name of button and menu. */
  label: string;
  /** Shows only the avatar, for the bar on narrow screens. */
  isAvatarOnly: boolean;
  /** What the frame adds between email address and theme; it ends with a separator. */
  children?: ReactNode;
};

/** The menu with the email address of the person who is signed in, theme, and sign-out. */
export function OwnMenu({ person, role, label, isAvatarOnly, children }: OwnMenuProps) {
  const [theme, setTheme] = useTheme();
  const trigger = useRef<HTMLButtonElement>(null);
  const signingOut = useSignOut();
  const { leave } = useNavigation();
  return (
    <>
      <Menu
        label={label}
        triggerRef={trigger}
        side={isAvatarOnly ? 'bottom' : 'top'}
        align={isAvatarOnly ? 'end' : 'start'}
        isAnchorWide={!isAvatarOnly}
        trigger={isAvatarOnly ? avatarTrigger(person.name, label) : nameTrigger(person.name, role)}
      >
        <p className="truncate px-2 pt-1.5 pb-1 text-micro text-ink-3">{person.email}</p>
        <MenuSeparator />
        {children}
        <MenuChoice label="Appearance" value={theme} choices={themes} onChange={setTheme} />
        <MenuSeparator />
        <MenuItem icon={<LogOut />} onSelect={() => leave(signingOut.signOut)}>
          Sign out
        </MenuItem>
      </Menu>
      <LazySignOutDialog signingOut={signingOut} finalFocus={trigger} />
    </>
  );
}
