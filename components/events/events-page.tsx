'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { useOpened } from '#components/shell/page/use-opened.ts';
import { hideSecrets } from '#components/shell/search/hide-secrets.ts';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import { eventsQuery } from '#lib/queries/events.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { EventFilters } from './event-filters.tsx';
import { EventTableSkeleton } from './event-columns.tsx';
import { EventTable } from './event-table.tsx';
import {
  eventsHeadingId,
  type EventView,
  isFiltered,
  outcomeChoices,
  parseEventSearch,
  spanChoices,
  toEventFilter,
} from './event-view.ts';
import { EventsHeading } from './events-heading.tsx';

type EventsPageProps = {
  accountId: string;
  rights: MemberRights;
  types: readonly (EventType | TestEventType)[];
};

/** The account's events with their outcomes at each webhook. New ones appear automatically. */
export function EventsPage({ accountId, rights, types }: EventsPageProps) {
  const [view, change] = useEventView(types);
  const [opened, open] = useOpened('event', parseAsString);
  const search = parseEventSearch(view.q, useEstimatedNow());
  const isReadable = search.kind !== 'unreadable';
  const { read, older } = useOlderPages(
    useInfiniteQuery({
      ...eventsQuery(accountId, toEventFilter(view, search)),
      enabled: isReadable,
    }),
  );
  const { data, error } = read;
  const { data: webhooks = [] } = useQuery({
    ...webhooksQuery(accountId),
    refetchInterval: pageRefetchInterval,
  });
  const events = isReadable ? dataIfPermitted(data, error)?.pages.flatMap((page) => page.data) : [];
  const named = webhooks.toSorted(
    (one, other) => compareNames(one.name, other.name) || one.id - other.id,
  );
  return (
    <>
      <EventsHeading />
      <section
        aria-labelledby={eventsHeadingId}
        className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3"
      >
        <h2 id={eventsHeadingId} tabIndex={-1} className="sr-only">
          List of events
        </h2>
        <EventFilters
          view={view}
          hasFilters={search.kind === 'all' || search.kind === 'unreadable'}
          types={types}
          isLive={error === null}
          onChange={change}
        />
        <ReadFailure what="The events" shown="the events" noun="events" read={read} />
        {events === undefined && !error && <EventTableSkeleton />}
        {events?.length === 0 && (
          <LazyNoEvents
            shouldLoad
            accountId={accountId}
            search={search}
            isFiltered={isFiltered(view)}
            onOpen={open}
            onClear={() => change(null)}
          />
        )}
        {events !== undefined && events.length > 0 && (
          <>
            <EventTable
              events={events}
              webhooks={named}
              isStale={read.isPlaceholderData}
              opened={opened}
              onOpen={open}
            />
            <LoadOlder older={older} what="The older events" noun="events">
              Newest first. Times are in your time zone. New events appear automatically.
            </LoadOlder>
          </>
        )}
      </section>
      <LazyEventDrawer
        shouldLoad={opened !== null}
        accountId={accountId}
        rights={rights}
        uuid={opened}
        listed={events ?? []}
        onOpen={open}
        onSearch={(q) => {
          open(null);
          change({ q });
        }}
        onSent={() => void read.refetch()}
      />
    </>
  );
}

/** The order of names that the service has as well. */
function compareNames(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()];
  return first < second ? -1 : Number(first > second);
}

const LazyEventDrawer = lazyComponent(async () => (await import('./event-drawer.tsx')).EventDrawer);

const LazyNoEvents = lazyComponent(async () => (await import('./no-events.tsx')).NoEvents);

/** The search and the filters, stored in the URL so that links and reload keep them. */
function useEventView(
  types: EventsPageProps['types'],
): [view: EventView, change: (change: Partial<EventView> | null) => void] {
  const [view, setView] = useQueryStates({
    q: parseAsString.withDefault(''),
    type: parseAsStringLiteral(['any', ...types] as const).withDefault('any'),
    outcome: parseAsStringLiteral(outcomeChoices).withDefault('any'),
    since: parseAsStringLiteral(spanChoices).withDefault('any'),
    from: parseAsIsoDateTime,
    to: parseAsIsoDateTime,
  });

  function change(part: Partial<EventView> | null) {
    const hidden = part?.q === undefined ? part : { ...part, q: hideSecrets(part.q).slice(0, 200) };
    changeAddress(setView(hidden));
  }

  return [view, change];
}
