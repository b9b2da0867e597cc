'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import {
  createParser,
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
  useQueryStates,
} from 'nuqs';
import { useRef, useState } from 'react';
import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { NoMatch } from '#components/shell/page/no-match.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { useOpened } from '#components/shell/page/use-opened.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import type { TimeWindow } from '#components/shell/search/time-window/time-window.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { isActionFilter } from '#lib/contract/audit-log/audit-actions.ts';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { auditLogQuery } from '#lib/queries/audit-log.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isForbidden, dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { auditSpanChoices, type AuditView, isFiltered, toAuditFilter } from '../audit-view.ts';
import { auditLogHeadingId } from '../entry/entry-opener.ts';
import { targetPath } from '../target-path.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLogHeading } from './audit-log-heading.tsx';
import { EntryTableSkeleton } from './entry-columns.tsx';
import { EntryTable } from './entry-table.tsx';

/** What people are in the account: their role, or installation support. */
function kindsOf(
  members: readonly Member[],
  { people: supporters }: InstallationSupport,
): ReadonlyMap<string, string> {
  return new Map([
    ...supporters.map(({ id }) => [id, 'Installation support'] as const),
    ...members.map(({ id, role }) => [id, roleTable[role].label] as const),
  ]);
}

/** The account's audit entries. New ones appear automatically. */
export function AuditLogPage({ accountId }: { accountId: string }) {
  const [view, change, unreadable] = useAuditView();
  const [opened, open] = useOpened('entry', parseAsInteger);
  const { read, older } = useOlderPages(
    useInfiniteQuery(auditLogQuery(accountId, toAuditFilter(view))),
  );
  const { data, error } = read;
  const { data: support } = useQuery(routeQuery(accountId, 'getInstallationSupport'));
  const { data: members = [] } = useQuery({
    ...routeQuery(accountId, 'listMembers'),
    refetchInterval: pageRefetchInterval,
  });
  const { data: former = [] } = useQuery({
    ...routeQuery(accountId, 'listFormerMembers'),
    enabled: !isForbidden(error),
  });
  const entries = dataIfPermitted(data, error)?.pages.flatMap((page) => page.data);
  const actorName =
    [...members, ...former].find(({ id }) => id === view.actor)?.name ??
    entries?.find(({ actor }) => actor.id === view.actor)?.actor.name;
  return (
    <>
      <AuditLogHeading
        action={
          !isForbidden(error) && (
            <ExportButton accountId={accountId} view={view} actorName={actorName} />
          )
        }
      />
      <section
        aria-labelledby={auditLogHeadingId}
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3"
      >
        <h2 id={auditLogHeadingId} tabIndex={-1} className="sr-only">
          Entries
        </h2>
        <AuditFilters
          view={view}
          unreadable={unreadable}
          onChange={change}
          members={members}
          former={former}
          actorName={actorName}
        />
        <AboutFilter view={view} entries={entries ?? []} />
        <ReadFailure what="The audit log" shown="the entries" noun="the audit log" read={read} />
        {entries === undefined && !error && <EntryTableSkeleton />}
        {entries?.length === 0 && (
          <NoEntries hasFilters={isFiltered(view)} onClear={() => change(null)} />
        )}
        {entries !== undefined && entries.length > 0 && (
          <>
            <EntryTable
              entries={entries}
              kinds={support ? kindsOf(members, support) : null}
              isStale={read.isPlaceholderData}
              opened={opened}
              onOpen={open}
            />
            <LoadOlder older={older} what="The older entries" noun="the audit log">
              Newest first. Times are in your time zone. New entries appear automatically.
            </LoadOlder>
          </>
        )}
      </section>
      <LazyEntryDrawer
        shouldLoad={opened !== null}
        id={isForbidden(error) ? null : opened}
        listed={entries ?? []}
        onClose={() => open(null)}
      />
    </>
  );
}

const LazyEntryDrawer = lazyComponent(
  async () => (await import('../entry/entry-drawer.tsx')).EntryDrawer,
);

type AboutFilterProps = { view: AuditView; entries: readonly AuditEntry[] };

/** Whose entries are listed if a filter names a target or actor, with a link to its page. */
function AboutFilter({ view, entries }: AboutFilterProps) {
  const target = entries.find((entry) => entry.target.id === view.target)?.target;
  const actor = entries.find((entry) => entry.actor.id === view.actor)?.actor;
  if (target === undefined && actor === undefined) return null;
  return (
    <p className="flex flex-wrap gap-x-4 text-small text-ink-2">
      {target && <Filtered words="Entries about" thing={target} />}
      {actor && <Filtered words="Entries by" thing={actor} />}
    </p>
  );
}

type FilteredProps = { words: string; thing: { kind: string; id: string | null; name: string } };

function Filtered({ words, thing }: FilteredProps) {
  const path = targetPath(thing);
  return (
    <span className="wrap-anywhere">
      {words} {path === null ? thing.name : <PageLink href={path}>{thing.name}</PageLink>}
    </span>
  );
}

type NoEntriesProps = { hasFilters: boolean; onClear: () => void };

/** Shown in place of rows if there are no entries, or none that match the filters. */
function NoEntries({ hasFilters, onClear }: NoEntriesProps) {
  if (hasFilters) {
    return (
      <NoMatch
        title="No matching entries"
        hint="No entry matches all of these filters. To find a target, enter its full ID."
        onClear={onClear}
      />
    );
  }
  return (
    <EmptyState isQuiet title="No entries yet">
      Every change of a key, a webhook, the team or the account is listed here.
    </EmptyState>
  );
}

type ExportButtonProps = { accountId: string; view: AuditView; actorName: string | undefined };

/** Opens the dialog that exports the entries that match the filters. */
function ExportButton(props: ExportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [timesOpened, setTimesOpened] = useState(0);
  const button = useRef<HTMLButtonElement>(null);

  function open() {
    setTimesOpened((times) => times + 1);
    setIsOpen(true);
  }

  return (
    <>
      <Button ref={button} icon={<Download />} onClick={open}>
        Export
      </Button>
      <LazyDialog
        // A new dialog for each export, so that the last one keeps its state while it fades out.
        key={timesOpened}
        {...props}
        shouldLoad={isOpen}
        isOpen={isOpen}
        finalFocus={button}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

const LazyDialog = lazyComponent(
  async () => (await import('../export/export-dialog.tsx')).ExportDialog,
);

/** Any other text in the URL counts as no filter: the API refuses it. */
const parseAsAction = createParser({
  parse: (text) => (isActionFilter(text) ? text : null),
  serialize: String,
});

const parsers = {
  actor: parseAsString.withDefault(''),
  action: parseAsAction.withDefault(''),
  target: parseAsString.withDefault(''),
  since: parseAsStringLiteral(auditSpanChoices).withDefault('any'),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

/** The filters of the log, stored in the URL so that links and reload keep them. */
function useAuditView(): [
  view: AuditView,
  change: (change: Partial<AuditView> | null) => void,
  /** Ends of the time window in the URL that are not valid times. */
  unreadable: readonly (keyof TimeWindow)[],
] {
  const [view, setView] = useQueryStates(parsers);
  const search = useSearchParams();

  function change(part: Partial<AuditView> | null) {
    const hidden =
      part?.target === undefined ? part : { ...part, target: hideSecrets(part.target) };
    changeAddress(setView(hidden));
  }

  const unreadable = ends.filter((end) => view[end] === null && (search.get(end) ?? '') !== '');
  return [view, change, unreadable];
}

const ends = ['from', 'to'] as const;
