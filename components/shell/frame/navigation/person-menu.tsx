'use client';
// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Shield, User } from 'lucide-react';

import { MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';

import { describeRole } from '../../identity/describe-role.ts';
import type { FrameProps } from './frame-props.ts';
import { OwnMenu } from '../own-menu/own-menu.tsx';

type PersonMenuProps = FrameProps & {
  /** Called when a page is chosen, so that the sheet closes. */
  onNavigate?: (() => void) | undefined;
  /** Shows only the avatar, for the bar on narrow screens. */
  isAvatarOnly?: boolean;
};

/** The menu of the person who is signed in, with their own pages. */
export function PersonMenu({ session, onNavigate, isAvatarOnly = false }: PersonMenuProps) {
  const role = describeRole(session);
  return (
    <OwnMenu
      person={session.person}
      role={role}
      label={`${session.person.name}, ${role}. Your menu`}
      isAvatarOnly={isAvatarOnly}
    >
      <MenuLink icon={<User />} href="settings/profile" onSelect={onNavigate}>
        Profile
      </MenuLink>
      <MenuLink icon={<Shield />} href="settings/security" onSelect={onNavigate}>
        Security
      </MenuLink>
      <MenuSeparator />
    </OwnMenu>
  );
}
