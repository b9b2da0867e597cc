// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Shield, User } from 'lucide-react';
import { MenuLink, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { FrameProps } from './frame-props.ts';
import { OwnMenu } from '../own-menu/own-menu.tsx';

type PersonMenuProps = Pick<FrameProps, 'session'> & {
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

/** What someone is in the account: "Owner", or "Installation support" where they are no member. */
function describeRole({
  role,
  account,
  accounts,
}: Pick<Session, 'role' | 'account' | 'accounts'>): string {
  const isMember = accounts.some(({ id }) => id === account.id);
  return isMember ? roleTable[role].label : 'Installation support';
}
