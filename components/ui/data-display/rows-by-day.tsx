import { formatDay } from '#lib/time.ts';
import { useFirstRows } from '../rendering/use-first-rows.ts';
import { useNow } from '../rendering/use-now.ts';
import { type DataRowsProps, DataRows, RowsPlaceholder } from './data-table.tsx';
import { TableBody } from './table.tsx';

type RowsByDayProps<Id extends string, Row, Context> = DataRowsProps<Id, Row, Context> & {
  /** The time of a row, as the API writes it. */
  timeOf: (row: Row) => string;
};

/** One-line rows, newest first, below the days of the reader's time zone. */
export function RowsByDay<Id extends string, Row, Context>({
  rows,
  timeOf,
  ...props
}: RowsByDayProps<Id, Row, Context>) {
  const zone = useNow() === null ? 'UTC' : undefined;
  const first = useFirstRows(rows);
  const days = Map.groupBy(first, (row) => formatDay(new Date(timeOf(row)), zone));
  return (
    <>
      {[...days].map(([day, rowsOfDay]) => (
        <TableBody key={day}>
          <tr role="row" className="max-sm:block">
            <th
              role="rowheader"
              scope="rowgroup"
              // Other columns are hidden on narrow screens; spanning them would create them again.
              colSpan={2}
              className="pt-4 pb-1.5 text-left text-small font-medium whitespace-nowrap text-ink max-sm:block"
            >
              {day}
            </th>
          </tr>
          <DataRows rows={rowsOfDay} {...props} />
        </TableBody>
      ))}
      {first.length < rows.length && (
        <TableBody>
          <RowsPlaceholder count={rows.length - first.length} lines="one" />
        </TableBody>
      )}
    </>
  );
}
