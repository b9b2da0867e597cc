import { Cpu, KeyRound } from 'lucide-react';

import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import {
  Cell,
  RowsPlaceholder,
  Row,
  SecondLine,
  TableBody,
} from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useFirstRows } from '#components/ui/rendering/use-first-rows.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { type Role, roleTable } from '#lib/contract/rights/roles.ts';
import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { formatDay } from '#lib/time.ts';

import { entryOpenerId } from '../entry/entry-opener.ts';
import { EntrySentence } from '#components/shell/audit-entry/entry-sentence.tsx';
import { EntryColumns } from './entry-columns.tsx';

type EntryTableProps = {
  entries: readonly AuditEntry[];
  /** The role of each member of today, by their id. */
  roles: ReadonlyMap<string, Role>;
  /** Whether the rows are those of an earlier filter. */
  isStale: boolean;
  /** The id of the open entry. */
  opened: number | null;
  onOpen: (id: number) => void;
};

/** The table of audit entries, newest first, by the days of the reader's time zone. */
export function EntryTable({ entries, roles, isStale, opened, onOpen }: EntryTableProps) {
  const zone = useNow() === null ? 'UTC' : undefined;
  const rows = useFirstRows(entries);
  const days = Map.groupBy(rows, ({ at }) => formatDay(new Date(at), zone));
  return (
    <EntryColumns caption="Audit entries" isStale={isStale}>
      {[...days].map(([day, entriesOfDay]) => (
        <TableBody key={day}>
          <DayHeading day={day} />
          {entriesOfDay.map((entry) => (
            <EntryRow
              key={entry.id}
              entry={entry}
              kind={kindOf(entry.actor, roles)}
              isOpen={entry.id === opened}
              onOpen={() => onOpen(entry.id)}
            />
          ))}
        </TableBody>
      ))}
      {rows.length < entries.length && (
        <TableBody>
          <RowsPlaceholder count={entries.length - rows.length} lines="one" />
        </TableBody>
      )}
    </EntryColumns>
  );
}

function DayHeading({ day }: { day: string }) {
  return (
    <tr role="row" className="max-sm:block">
      <th
        role="rowheader"
        scope="rowgroup"
        // The fourth column is hidden on narrow screens; spanning it would create it again.
        colSpan={3}
        className="pt-4 pb-1.5 text-left text-small font-medium text-ink max-sm:block"
      >
        {day}
      </th>
    </tr>
  );
}

type EntryRowProps = { entry: AuditEntry; kind: string; isOpen: boolean; onOpen: () => void };

function EntryRow({ entry, kind, isOpen, onOpen }: EntryRowProps) {
  const { id, at, actor } = entry;
  return (
    <Row isSelected={isOpen}>
      <Cell isRowHeader onPhone="main">
        <button
          type="button"
          id={entryOpenerId(id)}
          aria-haspopup="dialog"
          onClick={onOpen}
          // The whole row is clickable.
          className="press-row max-w-full cursor-default rounded-1 text-left"
        >
          <span className="max-sm:hidden">
            <ExactTime value={at} form="clock" />
          </span>
          <span className="wrap-anywhere sm:sr-only">
            <span className="max-sm:hidden">: </span>
            {actor.name} <EntrySentence entry={entry} />
            <span className="sr-only">, details</span>
          </span>
        </button>
        {!entry.is_chained && (
          <Status mark="failed" className="sm:hidden">
            {notChained}
          </Status>
        )}
        <SecondLine className="sm:hidden">
          {[kind, entry.ip].filter(Boolean).join(' · ')}
        </SecondLine>
      </Cell>
      <Cell
        onPhone="top-end"
        className="text-micro leading-5 text-ink-3 max-sm:col-span-2 sm:hidden"
      >
        <ExactTime value={at} form="clock" />
      </Cell>
      <Cell>
        <span className="flex min-w-0 items-center gap-2">
          <ActorMark actor={actor} />
          <span className="min-w-0 truncate">{actor.name}</span>
          <span className="shrink-0 text-ink-3">{kind}</span>
        </span>
      </Cell>
      <Cell>
        <span className="line-clamp-2 wrap-anywhere text-ink-2">
          <EntrySentence entry={entry} />
        </span>
        {!entry.is_chained && <Status mark="failed">{notChained}</Status>}
      </Cell>
      <Cell hideBelow="880px">
        <span className="block truncate text-ink-3">
          {entry.ip === null ? (
            'No request'
          ) : (
            <span translate="no" className="code text-ink">
              {entry.ip}
            </span>
          )}{' '}
          {entry.user_agent !== null && describeUserAgent(entry.user_agent)}
        </span>
      </Cell>
    </Row>
  );
}

const notChained = 'Not written by the service';

function kindOf(actor: AuditEntry['actor'], roles: EntryTableProps['roles']): string {
  if (actor.kind === 'api_key') return 'API key';
  if (actor.kind === 'system') return 'Service';
  const role = actor.id === null ? undefined : roles.get(actor.id);
  return role === undefined ? 'Not a member' : roleTable[role].label;
}

function ActorMark({ actor }: Pick<AuditEntry, 'actor'>) {
  if (actor.kind === 'person') return <Avatar name={actor.name} isRound />;
  return (
    <span className="grid size-6 shrink-0 place-items-center rounded-2 bg-fill-track text-ink-3">
      {actor.kind === 'api_key' ? <KeyRound aria-hidden /> : <Cpu aria-hidden />}
    </span>
  );
}
