import { usePathname } from 'next/navigation';
import { type RefObject, useState } from 'react';
import type { Command } from '#components/shell/command-palette/command.ts';
import {
  PaletteDialog,
  type PaletteProps,
} from '#components/shell/command-palette/palette-dialog.tsx';
import { PaletteList } from '#components/shell/command-palette/palette-list.tsx';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { supportDeskPath } from '#lib/paths/account-path.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { usePaletteSearch } from '../palette-search.tsx';
import { listDeskCommands } from './list-desk-commands.ts';
import { useDeskLinks } from './use-desk-links.tsx';

type DeskPaletteProps = PaletteProps & { desk: SupportDesk };

export function DeskPalette({ isOpen, onClose, desk }: DeskPaletteProps) {
  return (
    <PaletteDialog isOpen={isOpen} onClose={onClose}>
      {(input) => <DeskCommands input={input} onClose={onClose} desk={desk} />}
    </PaletteDialog>
  );
}

type DeskCommandsProps = Omit<DeskPaletteProps, 'isOpen'> & {
  input: RefObject<HTMLInputElement | null>;
};

function DeskCommands({ input, onClose, desk }: DeskCommandsProps) {
  const { goTo } = useNavigation();
  const { request } = usePaletteSearch();
  const links = useDeskLinks(desk);
  const current = usePathname();
  const [text, setText] = useState('');

  function choose({ kind, of, path }: Command) {
    onClose();
    if (kind === 'search') {
      request(of);
      if (current !== supportDeskPath) goTo(supportDeskPath);
      return;
    }
    const link = [...links.support, ...links.operator, ...links.recent].find(
      ({ href }) => href === path,
    );
    if (link?.opens === 'page') goTo(path);
    else window.location.assign(path);
  }

  return (
    <PaletteList
      input={input}
      label="Search all accounts, or go to a page"
      search={text}
      onSearch={setText}
      groups={listDeskCommands(text, links)}
      onChoose={choose}
      empty={null}
      place="All accounts"
    />
  );
}
