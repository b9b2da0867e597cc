'use client';

import { Building2, LogOut, Search, Send } from 'lucide-react';
import { useRef } from 'react';

import { avatarTrigger, nameTrigger } from '#components/shell/frame/person-menu-triggers.tsx';
import { THEMES, useTheme } from '#components/shell/frame/use-theme.ts';
import { LazySignOutDialog } from '#components/shell/identity/lazy-sign-out-dialog.tsx';
import { useSignOut } from '#components/shell/identity/use-sign-out.ts';
import {
  Menu,
  MenuChoice,
  MenuItem,
  MenuLink,
  MenuSeparator,
} from '#components/ui/overlays/menu.tsx';
import { accountPath, deskRequestsPath, firstPage, supportDeskPath } from '#lib/account-path.ts';
import type { SupportDesk } from '#lib/contract/support/support-desk.ts';

type DeskMenuProps = {
  desk: SupportDesk;
  /** Shows only the avatar, for the bar on narrow screens, where the menu has the accounts too. */
  isAvatarOnly?: boolean;
};

/** The menu with the person's e-mail address, theme, and sign-out. */
export function DeskMenu({ desk, isAvatarOnly = false }: DeskMenuProps) {
  const [theme, setTheme] = useTheme();
  const trigger = useRef<HTMLButtonElement>(null);
  const signingOut = useSignOut();
  const { name, email } = desk.person;
  const label = `${name}. Your menu`;
  const role = desk.is_installation_support ? 'Support, all accounts' : 'Your accounts';
  return (
    <>
      <Menu
        label={label}
        triggerRef={trigger}
        side={isAvatarOnly ? 'bottom' : 'top'}
        align={isAvatarOnly ? 'end' : 'start'}
        isAnchorWide={!isAvatarOnly}
        trigger={isAvatarOnly ? avatarTrigger(name, label) : nameTrigger(name, role)}
      >
        <p className="truncate px-2 pt-1.5 pb-1 text-micro text-ink-3">{email}</p>
        <MenuSeparator />
        {isAvatarOnly && (
          <>
            <MenuLink icon={<Search />} href={supportDeskPath}>
              Support desk
            </MenuLink>
            <MenuLink icon={<Send />} href={deskRequestsPath}>
              My requests
            </MenuLink>
            <MenuSeparator />
          </>
        )}
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
        <MenuItem icon={<LogOut />} onSelect={signingOut.signOut}>
          Sign out
        </MenuItem>
      </Menu>
      <LazySignOutDialog signingOut={signingOut} finalFocus={trigger} />
    </>
  );
}
