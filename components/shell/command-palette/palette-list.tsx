import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import {
  ArrowLeftRight,
  Copy,
  File,
  KeyRound,
  Plus,
  RotateCw,
  Search,
  Send,
  UserPlus,
  Webhook,
  X,
} from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Kbd } from '#components/ui/data-display/kbd.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { hideSecrets } from '../search/hide-secrets.ts';
import type { Command, CommandGroup } from './command.ts';

type PaletteListProps = {
  input: RefObject<HTMLInputElement | null>;
  /** What to type: "Search, or paste an ID". */
  label: string;
  search: string;
  /** Called with what was typed. Of a token, only the last characters are kept. */
  /** @param typed the text before secrets in it were hidden, which must not be kept */
  onSearch: (search: string, typed: string) => void;
  groups: CommandGroup[];
  onChoose: (command: Command) => void;
  /** Shown in place of the commands if there are none. */
  empty: ReactNode;
  /** Whose commands these are: the name of the account. */
  place: string;
  /** A message above the commands. */
  children?: ReactNode;
};

/** The field of a palette, and the commands that it finds. */
export function PaletteList({
  input,
  label,
  search,
  onSearch,
  groups,
  onChoose,
  empty,
  place,
  children,
}: PaletteListProps) {
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={search}
      onValueChange={(text) => onSearch(hideSecrets(text), text)}
      itemToStringValue={(command: Command) => command.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-4.5">
        <Search aria-hidden className="text-ink-3" />
        <Autocomplete.Input
          ref={input}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          className="h-full min-w-0 flex-1 bg-transparent text-field text-ink outline-none"
        />
        <Kbd className="text-ink-2 max-sm:hidden pointer-coarse:hidden">Esc</Kbd>
        {/* Where there is a keyboard, it is visible only while it has the focus. */}
        <Dialog.Close
          render={
            <IconButton
              label="Close"
              icon={<X />}
              className="-mr-2.5 max-sm:-mr-4 sm:pointer-fine:not-focus-visible:sr-only"
            />
          }
        />
      </div>
      <Autocomplete.Empty className="px-4.5 py-4 text-ink-3 empty:p-0">{empty}</Autocomplete.Empty>
      {children}
      <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain px-2 pb-2 outline-none empty:p-0">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.label} items={group.items}>
            <Autocomplete.GroupLabel className="px-2.5 pt-3.5 pb-1 text-micro font-medium text-ink-3">
              {group.label}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <PaletteItem
                  key={command.id}
                  command={command}
                  onChoose={() => onChoose(command)}
                />
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <div
        aria-hidden
        className="flex shrink-0 items-center gap-4 border-t border-line px-4.5 py-2.5 text-micro text-ink-3 max-sm:hidden"
      >
        <Hint keys={['↑', '↓']}>Select</Hint>
        <Hint keys={['↵']}>Open</Hint>
        <Hint keys={['Esc']}>Close</Hint>
        <span className="ml-auto truncate">{place}</span>
      </div>
    </Autocomplete.Root>
  );
}

function Hint({ keys, children }: { keys: string[]; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key} className="text-ink-2">
          {key}
        </Kbd>
      ))}
      <span className="ml-0.5">{children}</span>
    </span>
  );
}

function PaletteItem({ command, onChoose }: { command: Command; onChoose: () => void }) {
  return (
    <Autocomplete.Item
      value={command}
      onClick={onChoose}
      className="group/item flex min-h-9 cursor-default items-center gap-2.5 rounded-3 px-2.5 text-ink outline-none select-none data-highlighted:bg-fill-active max-sm:min-h-11 pointer-coarse:min-h-11"
    >
      <span aria-hidden className="text-ink-3 group-data-highlighted/item:text-accent">
        {icons[command.kind]}
      </span>
      {/* On a phone, the code is below the label, which needs the line for itself. */}
      <span className="flex min-w-0 flex-col items-start py-1.5 sm:contents">
        <CommandText command={command} />
        {command.code !== undefined && (
          <span
            translate="no"
            className="code max-w-1/2 shrink-0 truncate text-ink-3 group-data-highlighted/item:text-ink-2 max-sm:max-w-full max-sm:text-micro"
          >
            {command.code}
          </span>
        )}
      </span>
      {command.state && (
        <Status mark={command.state.mark} className="ml-auto shrink-0">
          {command.state.label}
        </Status>
      )}
      {command.detail !== undefined && (
        <span className="ml-auto shrink-0 text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
          {command.detail}
        </span>
      )}
    </Autocomplete.Item>
  );
}

function CommandText({ command: { label, second } }: { command: Command }) {
  if (second === undefined) return <span className="truncate max-sm:max-w-full">{label}</span>;
  return (
    <span className="min-w-0 py-1.5 max-sm:py-0">
      <span className="block truncate max-sm:wrap-anywhere max-sm:whitespace-normal">{label}</span>
      <span className="block truncate text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
        <ExactTime value={second.at} /> · {second.text}
      </span>
    </span>
  );
}

const icons: Record<Command['kind'], ReactNode> = {
  key: <KeyRound />,
  webhook: <Webhook />,
  delivery: <Send />,
  retry: <RotateCw />,
  copy: <Copy />,
  page: <File />,
  create: <Plus />,
  invite: <UserPlus />,
  account: <ArrowLeftRight />,
  search: <Search />,
};
