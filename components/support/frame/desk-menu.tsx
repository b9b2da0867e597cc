'use client';

import { Building2, Ellipsis, LogOut } from 'lucide-react';
import { type ReactElement, useTransition } from 'react';

import { Avatar } from '#components/shell/frame/avatar.tsx';
import { THEMES, useTheme } from '#components/shell/frame/use-theme.ts';
import { signOut } from '#components/shell/identity/sign-out.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#components/ui/overlays/menu.tsx';
import { accountPath, firstPage } from '#lib/account-path.ts';
import type { SupportDesk } from '#lib/contract/support/support-desk.ts';

type DeskMenuProps = {
  desk: SupportDesk;
  /** Shows only the avatar, for the bar on narrow screens, where the menu has the accounts too. */
  isAvatarOnly?: boolean;
};

/** The menu with the person's e-mail address, theme, and sign-out. */
export function DeskMenu({ desk, isAvatarOnly = false }: DeskMenuProps) {
  const [theme, setTheme] = useTheme();
  const [, startTransition] = useTransition();
  const { name, email } = desk.person;
  const label = `${name}. Your menu`;
  return (
    <Menu
      label={label}
      side={isAvatarOnly ? 'bottom' : 'top'}
      align={isAvatarOnly ? 'end' : 'start'}
      isAnchorWide={!isAvatarOnly}
      trigger={isAvatarOnly ? avatarTrigger(name, label) : blockTrigger(desk)}
    >
      <p className="truncate px-2 pt-1.5 pb-1 text-micro text-ink-3">{email}</p>
      <MenuSeparator />
      {isAvatarOnly &&
        desk.recent_accounts.map((account) => (
          <MenuItem
            key={account.id}
            icon={<Building2 />}
            onSelect={() => window.location.assign(accountPath(account.id, firstPage))}
          >
            {account.name}
          </MenuItem>
        ))}
      {isAvatarOnly && desk.recent_accounts.length > 0 && <MenuSeparator />}
      <MenuChoice label="Appearance" value={theme} choices={THEMES} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => startTransition(signOut)}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function blockTrigger({
  person,
  is_installation_support: canOpenAll,
}: SupportDesk): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      className="mt-2 flex w-full cursor-default items-center gap-2.5 rounded-3 px-2 py-1.5 text-left hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={person.name} isRound />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small leading-4.5 font-medium">{person.name}</span>
        <span className="block truncate text-micro text-ink-3">
          {canOpenAll ? 'Support, all accounts' : 'Your accounts'}
        </span>
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
