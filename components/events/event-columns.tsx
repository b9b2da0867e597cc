import { type Columns, DataTableSkeleton } from '#components/ui/data-display/table.tsx';

export const eventColumns = [
  { id: 'time', header: 'Time', width: 92, onPhone: 'main', skeleton: [64], phoneSkeleton: [120] },
  {
    id: 'moment',
    header: null,
    onPhone: 'top-end',
    cellClass: 'text-micro leading-5 text-ink-3 max-sm:col-span-2 sm:hidden',
  },
  { id: 'type', header: 'Type', width: 184, hideBelow: '560px', skeleton: [130] },
  { id: 'about', header: 'About', skeleton: [180] },
  { id: 'webhooks', header: 'Webhooks', width: 184, hideBelow: '740px', skeleton: [120] },
  {
    id: 'outcome',
    header: 'Outcome',
    isHeaderHidden: true,
    width: 160,
    onPhone: 'bottom-end',
    cellClass: 'max-sm:col-span-2',
    skeleton: [80],
  },
] as const satisfies Columns;

export function EventTableSkeleton() {
  return (
    <DataTableSkeleton caption="Loading events" columns={eventColumns} lines="one" rows={10} />
  );
}
