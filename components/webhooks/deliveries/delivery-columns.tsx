import { type SkeletonCell, SkeletonRows } from '#components/ui/data-display/skeleton.tsx';
import {
  ColumnHeader,
  Table,
  TableBody,
  TableHead,
  type TableProps,
} from '#components/ui/data-display/table.tsx';

type DeliveryColumnsProps = Pick<TableProps, 'caption' | 'isBusy' | 'isStale' | 'children'>;

/** The table of deliveries around its rows. */
export function DeliveryColumns({ children, ...table }: DeliveryColumnsProps) {
  return (
    <Table {...table} lines="one">
      <TableHead>
        <ColumnHeader width={140}>Created</ColumnHeader>
        <ColumnHeader width={176}>Event</ColumnHeader>
        <ColumnHeader width={208}>State</ColumnHeader>
        <ColumnHeader>Response</ColumnHeader>
        <ColumnHeader width={80} hideBelow="700px" isNumeric>
          Took
        </ColumnHeader>
        <ColumnHeader width={84} hideBelow="880px" isNumeric>
          Attempts
        </ColumnHeader>
        <ColumnHeader width={148} hideBelow="880px" isNumeric>
          Next attempt
        </ColumnHeader>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  );
}

/** The table while its rows are loading. */
export function DeliveryTableSkeleton() {
  return (
    <DeliveryColumns caption="Loading deliveries" isBusy>
      <SkeletonRows rows={8} cells={skeleton} />
    </DeliveryColumns>
  );
}

const skeleton: readonly SkeletonCell[] = [
  { firstWidth: 116, phoneLines: [150], onPhone: 'main' },
  { firstWidth: 130 },
  { firstWidth: 90 },
  { firstWidth: 30 },
  { firstWidth: 44, hideBelow: '700px' },
  { firstWidth: 14, hideBelow: '880px' },
  { firstWidth: 16, hideBelow: '880px' },
];
