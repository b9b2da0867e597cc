import { Cpu, KeyRound } from 'lucide-react';
import { Avatar } from '#components/shell/frame/own-menu/avatar.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import type { Cells } from '#components/ui/data-display/data-table.tsx';
import { RowsByDay } from '#components/ui/data-display/rows-by-day.tsx';
import { SecondLine, TableFrame } from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { AuditEntry } from '#lib/contract/audit-log/audit-log.ts';
import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { entryOpenerId } from '../entry/entry-opener.ts';
import { entryColumns } from './entry-columns.tsx';
import { EntrySentence } from '#components/shell/audit-entry/entry-sentence.tsx';

type Context = {
  /** What each person of today is in the account, by their id; null until that is read. */
  kinds: ReadonlyMap<string, string> | null;
  onOpen: (id: number) => void;
};

type EntryTableProps = Context & {
  entries: readonly AuditEntry[];
  /** Whether the rows are those of an earlier filter. */
  isStale: boolean;
  opened: number | null;
};

/** The table of audit entries, newest first, by the days of the reader's time zone. */
export function EntryTable({ entries, isStale, opened, kinds, onOpen }: EntryTableProps) {
  return (
    <TableFrame caption="Audit entries" columns={entryColumns} lines="one" isStale={isStale}>
      <RowsByDay
        columns={entryColumns}
        cells={cells}
        rows={entries}
        timeOf={({ at }) => at}
        context={{ kinds, onOpen }}
        rowProps={({ id }) => ({ key: id, isSelected: id === opened })}
      />
    </TableFrame>
  );
}

const cells: Cells<typeof entryColumns, AuditEntry, Context> = {
  time: (entry, { kinds, onOpen }) => (
    <>
      <button
        type="button"
        id={entryOpenerId(entry.id)}
        aria-haspopup="dialog"
        onClick={() => onOpen(entry.id)}
        // The whole row is clickable.
        className="press-row max-w-full cursor-default rounded-1 text-left"
      >
        <span className="max-sm:hidden">
          <ExactTime value={entry.at} form="clock" />
        </span>
        <span className="wrap-anywhere sm:sr-only">
          <span className="max-sm:hidden">: </span>
          {entry.actor.name} <EntrySentence entry={entry} />
          <span className="sr-only">, details</span>
        </span>
      </button>
      {!entry.is_chained && (
        <Status mark="failed" className="sm:hidden">
          {notChained}
        </Status>
      )}
      <SecondLine className="sm:hidden">
        {[kindOf(entry.actor, kinds), entry.ip].filter(Boolean).join(' · ')}
      </SecondLine>
    </>
  ),
  moment: ({ at }) => <ExactTime value={at} form="clock" />,
  who: ({ actor }, { kinds }) => (
    <span className="flex min-w-0 items-center gap-2">
      <ActorMark actor={actor} />
      <span className="min-w-0 truncate">{actor.name}</span>
      <span className="shrink-0 text-ink-3">{kindOf(actor, kinds)}</span>
    </span>
  ),
  what: (entry) => (
    <>
      <span className="line-clamp-2 wrap-anywhere text-ink-2">
        <EntrySentence entry={entry} />
      </span>
      {!entry.is_chained && <Status mark="failed">{notChained}</Status>}
    </>
  ),
  from: (entry) => (
    <span className="block truncate text-ink-3">
      {entry.ip === null ? 'No request' : <Code className="text-ink">{entry.ip}</Code>}{' '}
      {entry.user_agent !== null && describeUserAgent(entry.user_agent)}
    </span>
  ),
};

const notChained = 'Not written by the service';

function kindOf(actor: AuditEntry['actor'], kinds: Context['kinds']): string | null {
  if (actor.kind === 'api_key') return 'API key';
  if (actor.kind === 'system') return 'Service';
  return kinds && (kinds.get(actor.id ?? '') ?? 'No longer has access');
}

function ActorMark({ actor }: Pick<AuditEntry, 'actor'>) {
  if (actor.kind === 'person') return <Avatar name={actor.name} isRound />;
  return (
    <span className="grid size-6 shrink-0 place-items-center rounded-2 bg-fill-track text-ink-3">
      {actor.kind === 'api_key' ? <KeyRound aria-hidden /> : <Cpu aria-hidden />}
    </span>
  );
}
