import type { CommandGroup } from '#components/shell/command-palette/command.ts';
import { hasWords } from '#components/shell/command-palette/has-words.ts';
import type { DeskLink } from './use-desk-links.tsx';

type DeskLinks = {
  support: readonly DeskLink[];
  operator: readonly DeskLink[];
  recent: readonly DeskLink[];
};

/**
 * The commands of the support desk's palette: the links of the sidebar, and the search of the desk.
 * That search runs when it is chosen, not with every letter, because each search is recorded.
 */
export function listDeskCommands(
  text: string,
  { support, operator, recent }: DeskLinks,
): CommandGroup[] {
  const search = text.trim();
  const commandsOf = (links: readonly DeskLink[], kind: 'page' | 'account') =>
    links
      .filter(({ label }) => hasWords(label, search))
      .map(({ href, label, waiting }) => ({
        id: href,
        of: href,
        kind,
        label,
        ...(waiting !== null && { detail: `${waiting} waiting` }),
        path: href,
      }));
  const label = `Search all accounts for “${search}”`;
  return [
    { label: 'Recent accounts', items: commandsOf(recent, 'account') },
    { label: 'Go to', items: commandsOf([...support, ...operator], 'page') },
    {
      label: 'Search',
      items:
        search === ''
          ? []
          : [{ id: 'search', of: search, kind: 'search' as const, label, path: '' }],
    },
  ].filter(({ items }) => items.length > 0);
}
