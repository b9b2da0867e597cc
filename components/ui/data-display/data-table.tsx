import type { CSSProperties, Key, ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { useFirstRows } from '../rendering/use-first-rows.ts';
import {
  cellClassOf,
  type Column,
  type Columns,
  type Lines,
  type PhonePlace,
  TableBody,
  TableFrame,
  type TableProps,
} from './table.tsx';

/** The content of each column's cell in a row; `Context` is what it needs besides the row. */
export type Cells<Of extends Columns, Row, Context> = CellsById<Of[number]['id'], Row, Context>;

// These functions are called while a row renders. They cannot use hooks, but components in them can.
type CellsById<Id extends string, Row, Context> = Record<
  Id,
  (row: Row, context: Context) => ReactNode
>;

export type DataRowsProps<Id extends string, Row, Context> = {
  columns: readonly Column<Id>[];
  cells: CellsById<Id, Row, Context>;
  rows: readonly Row[];
  /** Rows are rendered again when it changes: build it of its parts, not of rest properties. */
  context: Context;
  rowProps: (row: Row) => RowProps<Id> & { key: Key };
};

type RowProps<Id extends string> = {
  isSelected?: boolean;
  /** Shows a row that has ended, such as a revoked key, in gray. */
  isEnded?: boolean;
  /** Where cells of this row are placed on a phone, if not as in other rows. */
  onPhone?: { [Of in Id]?: PhonePlace | undefined } | undefined;
  className?: string;
};

/** A table without a frame. Columns with `hideBelow` are hidden while the table is narrower. */
export function DataTable<Id extends string, Sort extends string, Row, Context>({
  rows,
  cells,
  context,
  rowProps,
  ...table
}: TableProps<Id, Sort> & Omit<DataRowsProps<Id, Row, Context>, 'columns'>) {
  const first = useFirstRows(rows);
  const { columns, lines = 'two' } = table;
  return (
    <TableFrame {...table}>
      <TableBody>
        <DataRows rows={first} {...{ columns, cells, context, rowProps }} />
        <RowsPlaceholder count={rows.length - first.length} lines={lines} />
      </TableBody>
    </TableFrame>
  );
}

/** The rows of a body. */
export function DataRows<Id extends string, Row, Context>({
  columns,
  cells,
  rows,
  context,
  rowProps,
}: DataRowsProps<Id, Row, Context>) {
  return rows.map((row) => {
    const { key, ...props } = rowProps(row);
    return <DataRow key={key} {...{ columns, cells, row, context }} {...props} />;
  });
}

type DataRowProps<Id extends string, Row, Context> = RowProps<Id> &
  Pick<DataRowsProps<Id, Row, Context>, 'columns' | 'cells' | 'context'> & { row: Row };

function DataRow<Id extends string, Row, Context>({
  columns,
  cells,
  row,
  context,
  isSelected,
  isEnded = false,
  onPhone,
  className,
}: DataRowProps<Id, Row, Context>) {
  return (
    <tr
      role="row"
      aria-selected={isSelected}
      data-ended={isEnded || undefined}
      className={cn('group/row list-row', isEnded && 'text-ink-3', className)}
    >
      {columns.map((column, index) => {
        const { id } = column;
        const cellClass = cellClassOf(column, onPhone?.[id] ?? column.onPhone);
        const content = cells[id](row, context);
        return index === 0 ? (
          <th key={id} scope="row" role="rowheader" className={cellClass}>
            {content}
          </th>
        ) : (
          <td key={id} role="cell" className={cellClass}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

/** Empty cells of some columns, in a row whose other columns are spanned by one cell. */
export function EmptyCells({ columns }: { columns: Columns }) {
  return columns.map((column) => (
    <td key={column.id} role="cell" className={cellClassOf(column, undefined)}>
      {null}
    </td>
  ));
}

/** Takes the place of rows that are added later, so that a reload scrolls to the same place. */
export function RowsPlaceholder({ count, lines = 'two' }: { count: number } & Lines) {
  if (count <= 0) return null;
  return (
    <tr
      aria-hidden
      style={{ '--rows': count } as CSSProperties}
      className={cn(
        'h-[calc(var(--rows)*59rem/16)] max-sm:block',
        // On a phone these have two lines as well.
        lines === 'one' && 'sm:h-[calc(var(--rows)*41rem/16)]',
      )}
    />
  );
}
