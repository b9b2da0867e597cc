'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { auditLogQuery } from '#lib/queries/audit-log.ts';
import { pageRefetchInterval, refetchDelay } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isForbidden, whilePermitted } from '#lib/queries/while-permitted.ts';

import { isFiltered, toAuditFilter } from '../audit-view.ts';
import { auditLogHeadingId } from '../entry/entry-opener.ts';
import { ExportButton } from '../export/export-button.tsx';
import { useAuditView, useOpenEntry } from '../use-audit-view.ts';
import { AboutFilter } from './about-filter.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLogHeading } from './audit-log-heading.tsx';
import { EntryTableSkeleton } from './entry-columns.tsx';
import { EntryTable } from './entry-table.tsx';
import { NoEntries } from './no-entries.tsx';

/** The account's audit entries. New ones appear by themselves. */
export function AuditLogPage({ accountId }: { accountId: string }) {
  const [view, change, unreadable] = useAuditView();
  const [opened, open] = useOpenEntry();
  const filter = toAuditFilter(view);
  const { data, ...reading } = useInfiniteQuery({
    ...auditLogQuery(accountId, filter),
    refetchInterval: ({ state }) =>
      refetchDelay(state.error, refetchMs * (state.data?.pages.length ?? 1)),
  });
  const { error, older } = useOlderPages(reading);
  const { data: members = [] } = useQuery({
    ...routeQuery(accountId, 'listMembers'),
    refetchInterval: pageRefetchInterval,
  });
  const entries = whilePermitted(data, error)?.pages.flatMap((page) => page.data);
  const actorName =
    members.find(({ id }) => id === view.actor)?.name ??
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
          actorName={actorName}
        />
        <AboutFilter view={view} entries={entries ?? []} />
        {error && (
          <ReadFailure
            what="The audit log"
            shown="the entries"
            noun="the audit log"
            error={error}
            isShown={entries !== undefined}
            reading={reading}
          />
        )}
        {entries === undefined && !error && <EntryTableSkeleton />}
        {entries?.length === 0 && (
          <NoEntries isFiltered={isFiltered(view)} onClear={() => change(null)} />
        )}
        {entries !== undefined && entries.length > 0 && (
          <>
            <EntryTable
              entries={entries}
              roles={new Map(members.map(({ id, role }) => [id, role]))}
              isStale={reading.isPlaceholderData}
              opened={opened}
              onOpen={open}
            />
            <LoadOlder older={older} what="The older entries" noun="the audit log">
              Newest first. Times are in your time zone. New entries appear by themselves.
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

/** Each page costs a request, so the interval grows with the number of pages. */
const refetchMs = 4000;

const LazyEntryDrawer = lazyComponent(
  async () => (await import('../entry/entry-drawer.tsx')).EntryDrawer,
);
