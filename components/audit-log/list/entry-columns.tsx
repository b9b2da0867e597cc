import { type SkeletonCell, SkeletonRows } from '#components/ui/data-display/skeleton.tsx';
import {
  ColumnHeader,
  Table,
  TableBody,
  TableHead,
  type TableProps,
} from '#components/ui/data-display/table.tsx';

type EntryColumnsProps = Pick<TableProps, 'caption' | 'isBusy' | 'isStale' | 'children'>;

/** The table of audit entries around the rows of each day. */
export function EntryColumns({ children, ...table }: EntryColumnsProps) {
  return (
    <Table {...table} lines="one">
      <TableHead>
        <ColumnHeader width={104}>Time</ColumnHeader>
        <ColumnHeader width={240}>Who</ColumnHeader>
        <ColumnHeader>What</ColumnHeader>
        <ColumnHeader width={240} hideBelow="880px">
          From
        </ColumnHeader>
      </TableHead>
      {children}
    </Table>
  );
}

/** The table while its rows are loading. */
export function EntryTableSkeleton() {
  return (
    <EntryColumns caption="Loading audit entries" isBusy>
      <TableBody>
        <SkeletonRows rows={10} cells={skeleton} />
      </TableBody>
    </EntryColumns>
  );
}

const skeleton: readonly SkeletonCell[] = [
  { firstWidth: 64, phoneLines: [96], onPhone: 'main' },
  { firstWidth: 120 },
  { firstWidth: 260 },
  { firstWidth: 180, hideBelow: '880px' },
];
