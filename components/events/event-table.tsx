import { Code } from '#components/ui/data-display/code.tsx';
import type { Cells } from '#components/ui/data-display/data-table.tsx';
import { RowsByDay } from '#components/ui/data-display/rows-by-day.tsx';
import { SecondLine, TableFrame } from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { RecordedEvent } from '#lib/contract/events/recorded-events.ts';
import { About } from './about.tsx';
import { eventColumns } from './event-columns.tsx';
import { eventOpenerId } from './event-view.ts';
import { type NamedWebhook, OutcomeMarks, OutcomeWords } from './outcome-marks.tsx';

type Context = { webhooks: readonly NamedWebhook[]; onOpen: (uuid: string) => void };

type EventTableProps = Context & {
  events: readonly RecordedEvent[];
  /** Whether the rows are those of an earlier filter. */
  isStale: boolean;
  opened: string | null;
};

/** The table of events, newest first, by the days of the reader's time zone. */
export function EventTable({ events, isStale, opened, webhooks, onOpen }: EventTableProps) {
  return (
    <TableFrame caption="Events" columns={eventColumns} lines="one" isStale={isStale}>
      <RowsByDay
        columns={eventColumns}
        cells={cells}
        rows={events}
        timeOf={({ created_at: at }) => at}
        context={{ webhooks, onOpen }}
        rowProps={({ id, uuid }) => ({ key: id, isSelected: uuid === opened })}
      />
    </TableFrame>
  );
}

const cells: Cells<typeof eventColumns, RecordedEvent, Context> = {
  time: (event, { onOpen }) => (
    <>
      <button
        type="button"
        id={eventOpenerId(event.uuid)}
        aria-haspopup="dialog"
        onClick={() => onOpen(event.uuid)}
        // The whole row is clickable.
        className="press-row max-w-full cursor-default rounded-1 text-left"
      >
        <span className="max-sm:hidden">
          <ExactTime value={event.created_at} form="clock" />
          <span className="sr-only">: {event.type}, details</span>
        </span>
        <span className="block min-w-0 sm:hidden">
          <About event={event} />
          <span className="sr-only">, details</span>
        </span>
      </button>
      <SecondLine mono className="sm:hidden">
        {event.type}
      </SecondLine>
    </>
  ),
  moment: ({ created_at: at }) => <ExactTime value={at} form="clock" />,
  type: ({ type }) => <Code className="block truncate">{type}</Code>,
  about: (event) => <About event={event} />,
  webhooks: ({ webhook_outcomes: outcomes = [] }, { webhooks }) => (
    <OutcomeMarks outcomes={outcomes} webhooks={webhooks} />
  ),
  outcome: ({ webhook_outcomes: outcomes = [] }) => (
    <>
      <span className="hidden @max-[46.25rem]:inline">
        <OutcomeWords outcomes={outcomes} hasMark />
      </span>
      <span className="@max-[46.25rem]:hidden">
        <OutcomeWords outcomes={outcomes} />
      </span>
    </>
  ),
};
