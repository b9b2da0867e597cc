'use client';

import { Ellipsis, LogOut } from 'lucide-react';
import { type ReactElement, useTransition } from 'react';

import { Menu, MenuChoice, MenuItem, MenuLine } from '#components/ui/menu.tsx';

import type { FramePerson } from './frame-props.ts';
import { Tile } from './tile.tsx';
import { THEMES, useTheme } from './use-theme.ts';

type PersonMenuProps = {
  person: FramePerson;
  signOut: () => Promise<void>;
  /** On the phone's bar only the round tile shows. */
  isTileOnly?: boolean;
};

/** Who is signed in, how the pages look, and the way out. */
export function PersonMenu({ person, signOut, isTileOnly = false }: PersonMenuProps) {
  const [theme, setTheme] = useTheme();
  const [, startTransition] = useTransition();
  const label = `${person.name}, ${person.roleLabel}. Your menu`;

  async function leave() {
    try {
      await signOut();
    } finally {
      // A whole new page: nothing that was read stays in the document or in memory.
      window.location.replace('/sign-in');
    }
  }

  return (
    <Menu
      label={label}
      side={isTileOnly ? 'bottom' : 'top'}
      align={isTileOnly ? 'end' : 'start'}
      isAnchorWide={!isTileOnly}
      trigger={isTileOnly ? tileTrigger(person, label) : blockTrigger(person)}
    >
      <p className="truncate px-2 pt-1.5 pb-1 text-micro text-ink-3">{person.email}</p>
      <MenuLine />
      <MenuChoice label="Appearance" value={theme} choices={THEMES} onChange={setTheme} />
      <MenuLine />
      <MenuItem icon={<LogOut />} onSelect={() => startTransition(leave)}>
        Sign out
      </MenuItem>
    </Menu>
  );
}

function blockTrigger(person: FramePerson): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      className="mt-2 flex w-full cursor-default items-center gap-2.5 rounded-3 px-2 py-1.5 text-left hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Tile name={person.name} isRound />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small leading-4.5 font-medium">{person.name}</span>
        <span className="block truncate text-micro text-ink-3">{person.roleLabel}</span>
        <span className="sr-only">Your menu</span>
      </span>
      <Ellipsis aria-hidden className="text-ink-3" />
    </button>
  );
}

function tileTrigger(person: FramePerson, label: string): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      aria-label={label}
      className="grid size-11 shrink-0 cursor-default place-items-center rounded-3 hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Tile name={person.name} isRound />
    </button>
  );
}
