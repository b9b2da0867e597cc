import type { Columns } from '#components/ui/data-display/table.tsx';

export const processColumns = [
  { id: 'process', header: 'Process', onPhone: 'main', skeleton: [90, 60] },
  { id: 'roles', header: 'Roles', width: 180, hideBelow: '560px', skeleton: [110] },
  { id: 'version', header: 'Version', width: 84, skeleton: [40] },
  { id: 'started', header: 'Started', width: 120, hideBelow: '700px', skeleton: [80] },
  {
    id: 'memory',
    header: 'Memory',
    width: 96,
    isNumeric: true,
    hideBelow: '740px',
    skeleton: [60],
  },
  {
    id: 'seen',
    header: 'Last sign of life',
    width: 152,
    headerClass: 'pl-8',
    cellClass: 'sm:pl-8',
    onPhone: 'top-end',
    skeleton: [64],
  },
] as const satisfies Columns;
