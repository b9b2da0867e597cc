import { type Columns, DataTableSkeleton } from '#components/ui/data-display/table.tsx';

export const deliveryColumns = [
  {
    id: 'created',
    header: 'Created',
    width: 140,
    onPhone: 'main',
    skeleton: [116],
    phoneSkeleton: [150],
  },
  {
    id: 'moment',
    header: null,
    onPhone: 'top-end',
    cellClass: 'text-micro leading-5 text-ink-3 max-sm:col-span-2 sm:hidden',
  },
  { id: 'event', header: 'Event', width: 176, skeleton: [130] },
  { id: 'state', header: 'State', width: 208, skeleton: [90] },
  { id: 'response', header: 'Response', skeleton: [30] },
  { id: 'took', header: 'Took', width: 80, hideBelow: '700px', isNumeric: true, skeleton: [44] },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 84,
    hideBelow: '880px',
    isNumeric: true,
    skeleton: [14],
  },
  {
    id: 'next',
    header: 'Next attempt',
    width: 148,
    hideBelow: '880px',
    isNumeric: true,
    skeleton: [16],
  },
] as const satisfies Columns;

export function DeliveryTableSkeleton() {
  return (
    <DataTableSkeleton
      caption="Loading deliveries"
      columns={deliveryColumns}
      lines="one"
      rows={8}
    />
  );
}
