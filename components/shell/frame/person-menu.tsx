'use client';

import { User, LogOut, Shield } from 'lucide-react';
import { useRef } from 'react';

import {
  Menu,
  MenuChoice,
  MenuItem,
  MenuSeparator,
  MenuLink,
} from '#components/ui/overlays/menu.tsx';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';

import type { FrameProps } from './frame-props.ts';
import { describeRole } from '../identity/describe-role.ts';
import { LazySignOutDialog } from '../identity/lazy-sign-out-dialog.tsx';
import { useSignOut } from '../identity/use-sign-out.ts';
import { avatarTrigger, nameTrigger } from './person-menu-triggers.tsx';
import { THEMES, useTheme } from './use-theme.ts';

type PersonMenuProps = FrameProps & {
  /** Called when a page is chosen, so that the sheet closes. */
  onNavigate?: (() => void) | undefined;
  /** Shows only the avatar, for the bar on narrow screens. */
  isAvatarOnly?: boolean;
};

/** The menu with the person's e-mail address, own pages, theme, and sign-out. */
export function PersonMenu({ session, onNavigate, isAvatarOnly = false }: PersonMenuProps) {
  const [theme, setTheme] = useTheme();
  const trigger = useRef<HTMLButtonElement>(null);
  const signingOut = useSignOut();
  const { leave } = useNavigation();
  const { name, email } = session.person;
  const label = `${name}, ${describeRole(session)}. Your menu`;

  return (
    <>
      <Menu
        label={label}
        triggerRef={trigger}
        side={isAvatarOnly ? 'bottom' : 'top'}
        align={isAvatarOnly ? 'end' : 'start'}
        isAnchorWide={!isAvatarOnly}
        trigger={
          isAvatarOnly ? avatarTrigger(name, label) : nameTrigger(name, describeRole(session))
        }
      >
        <p className="truncate px-2 pt-1.5 pb-1 text-micro text-ink-3">{email}</p>
        <MenuSeparator />
        <MenuLink icon={<User />} href="settings/profile" onSelect={onNavigate}>
          Profile
        </MenuLink>
        <MenuLink icon={<Shield />} href="settings/security" onSelect={onNavigate}>
          Security
        </MenuLink>
        <MenuSeparator />
        <MenuChoice label="Appearance" value={theme} choices={THEMES} onChange={setTheme} />
        <MenuSeparator />
        <MenuItem icon={<LogOut />} onSelect={() => leave(signingOut.signOut)}>
          Sign out
        </MenuItem>
      </Menu>
      <LazySignOutDialog signingOut={signingOut} finalFocus={trigger} />
    </>
  );
}
