import { type Columns, DataTableSkeleton } from '#components/ui/data-display/table.tsx';

export const webhookColumns = [
  { id: 'name', header: 'Name', sort: 'name', onPhone: 'main', skeleton: [130, 210] },
  { id: 'status', header: 'Status', sort: 'status', width: 208, onPhone: 'end', skeleton: [70] },
  { id: 'events', header: 'Events', width: 204, hideBelow: '880px', skeleton: [150] },
  {
    id: 'failures',
    header: 'Failures',
    sort: 'failures',
    width: 76,
    hideBelow: '740px',
    isNumeric: true,
    skeleton: [14],
  },
  { id: 'triggered', header: 'Last triggered', sort: 'triggered', width: 108, skeleton: [64] },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    width: 28,
    onPhone: 'menu',
    skeleton: [16],
  },
] as const satisfies Columns;

export function WebhookTableSkeleton() {
  return <DataTableSkeleton caption="Loading webhooks" columns={webhookColumns} rows={4} />;
}
