import { type Columns, DataTableSkeleton } from '#components/ui/data-display/table.tsx';

export const apiKeyColumns = [
  // The width that the other columns, including hidden ones, leave, with 206 px for the status and
  // more where columns are hidden. In a narrow table the name keeps 206 px and the status is
  // narrower.
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    headerClass:
      'w-[max(12.875rem,100cqw-54.625rem)] @max-[67.5rem]:w-[max(12.875rem,100cqw-47.625rem)] @max-[60rem]:w-[max(12.875rem,100cqw-42.125rem)] @max-[55rem]:w-[max(12.875rem,100cqw-32.125rem)] @max-[46.25rem]:w-[max(12.875rem,100cqw-25.125rem)]',
    onPhone: 'main',
    skeleton: [128, 92],
  },
  { id: 'type', header: 'Type', sort: 'type', width: 100, hideBelow: '960px', skeleton: [64] },
  { id: 'scopes', header: 'Scopes', width: 186, hideBelow: '880px', skeleton: [118] },
  { id: 'calls', header: 'Calls, 24 h', width: 112, hideBelow: '740px', skeleton: [96] },
  { id: 'last_used', header: 'Last used', sort: 'last_used', width: 130, skeleton: [70, 84] },
  {
    id: 'expires',
    header: 'Expires',
    sort: 'expires',
    width: 112,
    hideBelow: '1080px',
    skeleton: [76],
  },
  { id: 'status', header: 'Status', sort: 'status', onPhone: 'end', skeleton: [88] },
  { id: 'actions', header: 'Actions', isHeaderHidden: true, width: 28, onPhone: 'menu' },
] as const satisfies Columns;

export function ApiKeyTableSkeleton({ caption = 'Loading API keys' }: { caption?: string }) {
  return <DataTableSkeleton caption={caption} columns={apiKeyColumns} rows={5} />;
}
