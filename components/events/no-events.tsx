import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { NoMatch } from '#components/shell/page/no-match.tsx';
import { ServiceText } from '#components/shell/feedback/service-text.tsx';
import { minuteMs } from '#lib/durations.ts';
import { countOf } from '#lib/count.ts';
import type { ReadData } from '#lib/queries/route-query.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { formatApiTime } from '#lib/time.ts';
import type { EventSearch } from './event-view.ts';

type NoEventsProps = {
  accountId: string;
  search: EventSearch;
  isFiltered: boolean;
  onOpen: (uuid: string) => void;
  onClear: () => void;
};

/** Shown in place of rows: there are no events, none match, or none has the id or time. */
export function NoEvents({ accountId, search, isFiltered, onOpen, onClear }: NoEventsProps) {
  if (search.kind === 'id' || search.kind === 'time') {
    return <NotFound accountId={accountId} search={search} onOpen={onOpen} onClear={onClear} />;
  }
  if (search.kind === 'unreadable') {
    return (
      <NoMatch
        title="Enter a whole ID or a time"
        hint="You can paste a webhook-id, the UUID or ID of an event, a message, a conversation or a delivery, or the value of webhook-timestamp. A time can be written like 12:25, 24 Nov 12:25:56 or 2026-11-24."
        clearLabel="Clear search"
        onClear={onClear}
      />
    );
  }
  if (isFiltered) {
    return (
      <NoMatch
        title="No matching events"
        hint="No event matches all of these filters."
        onClear={onClear}
      />
    );
  }
  return (
    <EmptyState isQuiet title="No events yet">
      Messages, conversations, and changes of keys and webhooks are listed here as they happen.
    </EmptyState>
  );
}

type Near = ReadData<'findNearEvents'>;

type NotFoundProps = Pick<NoEventsProps, 'accountId' | 'onOpen'> & {
  onClear: (() => void) | null;
  search: Extract<EventSearch, { kind: 'id' | 'time' }>;
};

/** Says what was looked for, what is near, and for how long events are kept. */
export function NotFound({ accountId, search, onOpen, onClear }: NotFoundProps) {
  const { data: near } = useQuery(
    routeQuery(accountId, 'findNearEvents', {
      query: search.kind === 'id' ? { about: search.about } : { at: formatApiTime(search.from) },
    }),
  );
  return (
    <div role="status">
      <EmptyState
        title={titleOf(search, near?.gone ?? null)}
        actions={
          onClear === null ? undefined : (
            <Button focusesTitleOnRemoval onClick={onClear}>
              Clear search
            </Button>
          )
        }
      >
        {near && <NearEvents near={near} search={search} onOpen={onOpen} />}
      </EmptyState>
    </div>
  );
}

function titleOf(search: NotFoundProps['search'], gone: Near['gone']): ReactNode {
  if (gone) return `The events of this ${gone.what} are gone`;
  if (search.kind === 'id') return `No event has this ${search.what}`;
  return (
    <>
      No event happened on <ExactTime value={formatApiTime(search.from)} form={formOf(search)} />
    </>
  );
}

/** As precise as the time that was entered. */
function formOf({ from, to }: Extract<EventSearch, { kind: 'time' }>) {
  const span = to.getTime() - from.getTime();
  if (span > minuteMs) return 'day';
  return span === minuteMs ? 'short' : 'moment';
}

function NearEvents({
  near,
  search,
  onOpen,
}: { near: Near } & Pick<NotFoundProps, 'search' | 'onOpen'>) {
  const { gone, similar, earlier, later } = near;
  const link = (event: NonNullable<Near['similar']>, text: ReactNode) => (
    <button
      type="button"
      onClick={() => onOpen(event.uuid)}
      className="text-accent-ink underline decoration-line-strong underline-offset-3"
    >
      {text}
    </button>
  );
  const kept = countOf(near.retention_days, 'day');
  if (gone) {
    return (
      <ServiceText
        text={`It is from ${gone.created_at}. Events are kept for ${kept}, with their deliveries.`}
      />
    );
  }
  const sides = [
    earlier && { ...earlier, side: 'before it' },
    later && { ...later, side: 'after it' },
  ].filter((side) => side !== null);
  return (
    <>
      {search.kind === 'id' &&
        `It is well formed, but no event, message, conversation or delivery in this account has it. `}
      {similar && (
        <>
          The nearest is {link(similar, <Code>…{similar.uuid.slice(-4)}</Code>)}, from{' '}
          <ExactTime value={similar.created_at} form="moment" />.{' '}
        </>
      )}
      {sides.map((event) => (
        <span key={event.uuid}>
          The event {event.side} is {link(event, <Code>{event.type}</Code>)}, from{' '}
          <ExactTime value={event.created_at} form="moment" />.{' '}
        </span>
      ))}
      Events older than {kept} are gone.
    </>
  );
}
