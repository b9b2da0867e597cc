'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, File, KeyRound, Plus, Search, Send, Webhook } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useRef, useState } from 'react';

import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Kbd } from '#components/ui/data-display/kbd.tsx';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { memberMay, memberRightsOf } from '#lib/contract/api-keys/ceiling.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { foundDeliveriesQuery } from '#lib/queries/deliveries.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

import { useSwitchAccount } from '../identity/switch-account.tsx';
import { hideSecrets } from '../search/hide-secrets.ts';
import { type Command, type CommandGroup, listCommands } from './list-commands.ts';
import { PaletteReadFailure } from './palette-read-failure.tsx';
import { recentPaths } from './recent-paths.ts';

export type PalettePopupProps = {
  isOpen: boolean;
  onClose: () => void;
  session: Session;
};

/** Finds a key, a webhook, a delivery by its ID, a page or an account, and opens it. */
export function PalettePopup({ isOpen, onClose, ...source }: PalettePopupProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-(--z-dialog) bg-scrim transition-opacity duration-(--base) data-ending-style:opacity-0 data-starting-style:opacity-0 print:hidden" />
        <Dialog.Viewport className="fixed inset-0 z-(--z-dialog) p-2 sm:pt-22">
          <Dialog.Popup
            aria-label="Go to"
            initialFocus={input}
            className="mx-auto flex max-h-[min(36rem,100%)] w-full max-w-150 flex-col rounded-5 bg-overlay shadow-dialog outline-none"
          >
            <Commands input={input} onClose={onClose} {...source} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type CommandsProps = Omit<PalettePopupProps, 'isOpen'> & {
  input: React.RefObject<HTMLInputElement | null>;
};

function Commands({ input, onClose, session }: CommandsProps) {
  const { goTo } = useNavigation();
  const { switchTo } = useSwitchAccount();
  const current = usePathname();
  const [search, setSearch] = useState('');
  const [opened] = useState(() => ({ paths: recentPaths(), at: new Date() }));
  const { isSearching, failed, ...found } = useFound(session, search);
  const groups = listCommands(search, {
    session,
    recentPaths: opened.paths.filter((path) => path !== current),
    now: opened.at,
    ...found,
  });

  function open({ id, path }: Command) {
    onClose();
    if (path === null) switchTo(id);
    else goTo(path);
  }

  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={search}
      onValueChange={(text) => setSearch(hideSecrets(text))}
      itemToStringValue={({ label }: Command) => label}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-4.5">
        <Search aria-hidden className="text-ink-3" />
        <Autocomplete.Input
          ref={input}
          aria-label="Search, or paste an ID"
          placeholder="Search, or paste an ID"
          autoComplete="off"
          spellCheck={false}
          className="h-full min-w-0 flex-1 bg-transparent text-field text-ink outline-none"
        />
        <Kbd className="text-ink-2">Esc</Kbd>
        <Dialog.Close className="sr-only">Close</Dialog.Close>
      </div>
      <Autocomplete.Empty className="px-4.5 py-4 text-ink-3 empty:p-0">
        {isSearching && 'Searching…'}
        {!isSearching && failed.length === 0 && 'Nothing matches.'}
      </Autocomplete.Empty>
      <PaletteReadFailure failed={failed} />
      <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain px-2 pb-2 outline-none empty:p-0">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.label} items={group.items}>
            <Autocomplete.GroupLabel className="px-2.5 pt-3.5 pb-1 text-micro font-medium text-ink-3">
              {group.label}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.id}
                  value={command}
                  onClick={() => open(command)}
                  className="group/item flex min-h-9 cursor-default items-center gap-2.5 rounded-3 px-2.5 text-ink outline-none select-none data-highlighted:bg-fill-active max-sm:min-h-11 pointer-coarse:min-h-11"
                >
                  <span aria-hidden className="text-ink-3 group-data-highlighted/item:text-accent">
                    {ICONS[command.kind]}
                  </span>
                  <CommandText command={command} />
                  {command.code !== undefined && (
                    <span className="code truncate text-ink-3 group-data-highlighted/item:text-ink-2">
                      {command.code}
                    </span>
                  )}
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
        <span className="ml-auto truncate">{session.account.name}</span>
      </div>
    </Autocomplete.Root>
  );
}

function CommandText({ command: { label, second } }: { command: Command }) {
  if (second === undefined) return <span className="truncate">{label}</span>;
  return (
    <span className="min-w-0 py-1.5">
      <span className="block truncate">{label}</span>
      <span className="block truncate text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
        <ExactTime value={second.at} /> · {second.text}
      </span>
    </span>
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

/** What the service knows that the search may be about, and what of it could not be read. */
function useFound(session: Session, search: string) {
  const rights = memberRightsOf(session);
  const accountId = session.account.id;
  const id = UUID.exec(search)?.[0];
  const maySeeWebhooks = memberMay(rights, 'webhooks.read');
  const apiKeys = useQuery({
    ...apiKeysQuery(accountId),
    enabled: memberMay(rights, 'api-keys.read'),
  });
  const webhooks = useQuery({ ...webhooksQuery(accountId), enabled: maySeeWebhooks });
  // An ID that a key or webhook has is not that of a delivery.
  const isListed = [...(apiKeys.data ?? []), ...(webhooks.data ?? [])].some(
    ({ uuid }) => uuid === id?.toLowerCase(),
  );
  const isUnlisted = !isListed && !apiKeys.isLoading && !webhooks.isLoading;
  const deliveries = useQuery({
    ...foundDeliveriesQuery(accountId, id ?? ''),
    enabled: id !== undefined && memberMay(rights, 'events.read') && isUnlisted,
    retry: false,
  });
  const reads = [
    { what: 'API keys', reading: apiKeys },
    { what: 'webhooks', reading: webhooks },
    ...(id === undefined ? [] : [{ what: 'deliveries', reading: deliveries }]),
  ];
  return {
    apiKeys: apiKeys.data,
    webhooks: webhooks.data,
    deliveries: id === undefined ? undefined : deliveries.data,
    isSearching: reads.some(({ reading }) => reading.isLoading),
    failed: reads.flatMap(({ what, reading: { error, ...reading } }) =>
      error === null || isRefused(error) || reading.data !== undefined
        ? []
        : [{ what, error, reading }],
    ),
  };
}

/** An account that asks for a reason or a second factor first lets nothing be read. */
function isRefused(error: Error): boolean {
  return error instanceof ApiError && error.code === 'FORBIDDEN';
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i;

const ICONS: Record<Command['kind'], ReactNode> = {
  key: <KeyRound />,
  webhook: <Webhook />,
  delivery: <Send />,
  page: <File />,
  create: <Plus />,
  account: <ArrowLeftRight />,
};
