import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { useCopy } from '#components/ui/buttons/use-copy.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { CopyDialog } from '#components/ui/overlays/copy-dialog.tsx';
import { retryDelivery } from '#lib/actions/webhooks.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import { findUuid } from '#lib/find-uuid.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { isForbidden, isNotFound } from '#lib/queries/data-if-permitted.ts';
import { FailedActionPanel } from '../actions/failed-action-panel.tsx';
import { useAction } from '../actions/use-action.ts';
import { useSwitchAccount } from '../identity/switch-account.tsx';
import { type Read, ReadFailure } from '../page/read-failure.tsx';
import { usePastedToken } from '../search/use-pasted-token.ts';
import type { Command } from './command.ts';
import { listCommands } from './list-commands.ts';
import { PaletteDialog, type PaletteProps } from './palette-dialog.tsx';
import { PaletteList } from './palette-list.tsx';
import { recentPaths } from './recent-paths.ts';

type PalettePopupProps = PaletteProps & { session: Session };

/** Finds and opens a key, webhook, delivery, page or account; runs actions of one delivery. */
export function PalettePopup({ isOpen, onClose, session }: PalettePopupProps) {
  return (
    <PaletteDialog isOpen={isOpen} onClose={onClose}>
      {(input) => <Commands input={input} onClose={onClose} session={session} />}
    </PaletteDialog>
  );
}

type CommandsProps = Omit<PalettePopupProps, 'isOpen'> & {
  input: React.RefObject<HTMLInputElement | null>;
};

function Commands({ input, onClose, session }: CommandsProps) {
  const { goTo } = useNavigation();
  const { switchTo } = useSwitchAccount();
  const { run, isPending, failedAction } = useAction();
  const { state: copying, copy, reset } = useCopy();
  const current = usePathname();
  const [search, setSearch] = useState('');
  const [link, setLink] = useState('');
  const [opened] = useState(() => ({ paths: recentPaths(), at: new Date() }));
  const { pasted, readSearch } = usePastedToken(search);
  const keyOfToken = pasted.kind === 'found' ? pasted.found.api_key : null;
  const isUnknownToken = pasted.kind === 'found' && keyOfToken === null;
  const sought = keyOfToken?.uuid ?? search;
  const { isSearching, failed, ...found } = useFound(session, sought);
  const groups = listCommands(sought, {
    session,
    recentPaths: opened.paths.filter((path) => path !== current),
    now: opened.at,
    ...found,
  });

  function choose({ kind, of, path }: Command) {
    if (kind === 'copy') {
      const address = `${window.location.origin}${path}`;
      setLink(address);
      void copy(address);
    } else if (kind === 'retry') {
      if (!isPending)
        run(() => retryDelivery({ params: { delivery: of } }), { onDone: () => leaveFor(path) });
    } else if (kind === 'account') {
      onClose();
      switchTo(of);
    } else {
      leaveFor(path);
    }
  }

  function leaveFor(path: string) {
    onClose();
    goTo(path);
  }

  return (
    <PaletteList
      input={input}
      label="Search, or paste an ID"
      search={search}
      onSearch={(text, typed) => {
        reset();
        void readSearch(typed);
        setSearch(text);
      }}
      groups={isUnknownToken || pasted.kind === 'searching' ? [] : groups}
      onChoose={choose}
      empty={
        isUnknownToken
          ? 'No key has this token.'
          : isSearching || pasted.kind === 'searching'
            ? 'Searching…'
            : failed.length === 0 && noMatchText
      }
      place={session.account.name}
    >
      <PaletteReadFailure failed={failed} />
      <p role="status" className="px-4.5 pt-3 text-small text-ink-2 empty:hidden">
        {isPending && 'Retrying the delivery…'}
        {copying === 'copied' && 'The link is copied.'}
      </p>
      {copying === 'blocked' && (
        <CopyDialog title="Link to the delivery" text={link} finalFocus={input} onClose={reset} />
      )}
      {failedAction && (
        <div className="px-4.5 pt-3">
          <FailedActionPanel
            failedAction={failedAction}
            notDone="The delivery was not resent"
            unknown="We could not confirm whether the delivery was resent"
          />
        </div>
      )}
    </PaletteList>
  );
}

/** The data that the palette searches, and which of it could not be read. */
function useFound(session: Session, search: string) {
  const rights = memberRightsOf(session);
  const accountId = session.account.id;
  const uuid = findUuid(search);
  const id = uuid ?? integerIn(search);
  const maySeeWebhooks = memberMay(rights, 'webhooks.read');
  const apiKeys = useQuery({
    ...routeQuery(accountId, 'listApiKeys'),
    enabled: memberMay(rights, 'api-keys.read'),
  });
  const webhooks = useQuery({ ...webhooksQuery(accountId), enabled: maySeeWebhooks });
  // The ID of a key or webhook cannot be that of a delivery.
  const isListed = [...(apiKeys.data ?? []), ...(webhooks.data ?? [])].some(
    (listed) => listed.uuid === uuid,
  );
  const isUnlisted = !isListed && !apiKeys.isLoading && !webhooks.isLoading;
  const deliveries = useQuery({
    ...routeQuery(accountId, 'findDeliveries', { params: { delivery: id ?? '' } }),
    enabled: id !== null && memberMay(rights, 'events.read') && isUnlisted,
    retry: false,
  });
  const requestId = requestIdIn(search);
  const failedCalls = useQuery({
    ...routeQuery(accountId, 'findFailedCalls', { query: { request_id: requestId ?? '' } }),
    enabled: requestId !== null && memberMay(rights, 'api-keys.read') && isUnlisted,
    retry: false,
  });
  const reads = [
    { what: 'API keys', read: apiKeys },
    { what: 'webhooks', read: webhooks },
    ...(id === null ? [] : [{ what: 'deliveries', read: deliveries }]),
    ...(requestId === null ? [] : [{ what: 'refused calls', read: failedCalls }]),
  ];
  return {
    apiKeys: apiKeys.data,
    webhooks: webhooks.data,
    // Undefined if nothing has the id; none for an event that was sent to no webhook.
    deliveries: id === null ? undefined : deliveries.data,
    failedCalls: requestId === null ? undefined : failedCalls.data,
    isSearching: reads.some(({ read }) => read.isLoading),
    failed: reads.filter(
      ({ read: { data, error } }) => error !== null && !hasNothing(error) && data === undefined,
    ),
  };
}

/** The integer id that a search consists of, or null. */
function integerIn(search: string): string | null {
  return /^\s*([1-9]\d{0,15})\s*$/.exec(search)?.[1] ?? null;
}

/** A word that can be the id of a request: a UUID, or a long one that the client chose. */
function requestIdIn(search: string): string | null {
  return /^[\w-]{16,64}$/.test(search.trim()) ? search.trim() : null;
}

const noMatchText = 'No results. Search by name, URL, ID, or the last four characters of a token.';

/** Nothing has the id, or the account first asks for a reason or a second factor. */
function hasNothing(error: Error): boolean {
  return isNotFound(error) || isForbidden(error);
}

type FailedPaletteRead = {
  /** What could not be read: "webhooks" */
  what: string;
  read: Read;
};

/** Shows once which of the searched data could not be read, and tries all of it again. */
function PaletteReadFailure({ failed }: { failed: readonly FailedPaletteRead[] }) {
  const [first] = failed;
  if (first === undefined) return null;
  const what = failed.map((one) => one.what).join(' and ');
  return (
    <div className="px-4.5 pt-4">
      <ReadFailure
        isLocal
        what={`The ${what}`}
        noun={what}
        read={{
          ...first.read,
          isFetching: failed.some(({ read }) => read.isFetching),
          refetch: () => Promise.all(failed.map(({ read }) => read.refetch())),
        }}
      />
    </div>
  );
}
