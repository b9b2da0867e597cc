'use client';

import { User, Ellipsis, LogOut, Shield } from 'lucide-react';
import { type ReactElement, useTransition } from 'react';

import {
  Menu,
  MenuChoice,
  MenuItem,
  MenuSeparator,
  MenuLink,
} from '#components/ui/overlays/menu.tsx';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import type { Session } from '#lib/contract/dashboard.ts';

import type { FrameProps } from './frame-props.ts';
import { describeRole } from '../identity/describe-role.ts';
import { signOut } from '../identity/sign-out.ts';
import { Avatar } from './avatar.tsx';
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
  const [, startTransition] = useTransition();
  const { leave } = useNavigation();
  const { name, email } = session.person;
  const label = `${name}, ${describeRole(session)}. Your menu`;

  return (
    <Menu
      label={label}
      side={isAvatarOnly ? 'bottom' : 'top'}
      align={isAvatarOnly ? 'end' : 'start'}
      isAnchorWide={!isAvatarOnly}
      trigger={isAvatarOnly ? avatarTrigger(name, label) : blockTrigger(session)}
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
      <MenuItem icon={<LogOut />} onSelect={() => leave(() => startTransition(signOut))}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function blockTrigger(session: Session): ReactElement<Record<string, unknown>> {
  const { person } = session;
  return (
    <button
      type="button"
      className="mt-2 flex w-full cursor-default items-center gap-2.5 rounded-3 px-2 py-1.5 text-left hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={person.name} isRound />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small leading-4.5 font-medium">{person.name}</span>
        <span className="block truncate text-micro text-ink-3">{describeRole(session)}</span>
        <span className="sr-only">Your menu</span>
      </span>
      <Ellipsis aria-hidden className="text-ink-3" />
    </button>
  );
}

function avatarTrigger(name: string, label: string): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      aria-label={label}
      className="grid size-11 shrink-0 cursor-default place-items-center rounded-3 hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={name} isRound />
    </button>
  );
}
