import { type Columns, DataTableSkeleton } from '#components/ui/data-display/table.tsx';

export const entryColumns = [
  { id: 'time', header: 'Time', width: 104, onPhone: 'main', skeleton: [64], phoneSkeleton: [96] },
  {
    id: 'moment',
    header: null,
    onPhone: 'top-end',
    cellClass: 'text-micro leading-5 text-ink-3 max-sm:col-span-2 sm:hidden',
  },
  { id: 'who', header: 'Who', width: 240, skeleton: [120] },
  { id: 'what', header: 'What', skeleton: [260] },
  { id: 'from', header: 'From', width: 240, hideBelow: '880px', skeleton: [180] },
] as const satisfies Columns;

export function EntryTableSkeleton() {
  return (
    <DataTableSkeleton
      caption="Loading audit entries"
      columns={entryColumns}
      lines="one"
      rows={10}
    />
  );
}
