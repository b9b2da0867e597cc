import { type Columns, DataTableSkeleton } from '#components/ui/data-display/table.tsx';
import { columnWidths } from '../column-widths.ts';

/** All have a width, so that they share the remaining space of a wide table. */
export const memberColumns = [
  {
    id: 'member',
    header: 'Member',
    width: columnWidths.member,
    onPhone: 'main',
    skeleton: [128, 176],
    phoneSkeleton: [104],
  },
  { id: 'role', header: 'Role', width: columnWidths.role, onPhone: 'top-end', skeleton: [56] },
  {
    id: 'seen',
    header: 'Last seen',
    width: columnWidths.lastSeen,
    onPhone: 'bottom-end',
    skeleton: [72, 112],
  },
  {
    id: 'factor',
    header: 'Second factor',
    width: columnWidths.secondFactor,
    hideBelow: '700px',
    skeleton: [88],
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    width: columnWidths.actions,
    onPhone: 'menu',
  },
] as const satisfies Columns;

export function MemberTableSkeleton() {
  return <DataTableSkeleton caption="Loading members" columns={memberColumns} rows={4} />;
}
