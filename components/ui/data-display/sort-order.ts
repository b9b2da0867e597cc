import type { ColumnHeaderProps } from './table.tsx';

/** The column a table is sorted by. A minus before it means descending. */
export type SortOrder<Column extends string> = Column | `-${Column}`;

/** All sort orders of a table, for parsing the URL. */
export function sortOrdersOf<Column extends string>(
  columns: readonly Column[],
): SortOrder<Column>[] {
  return columns.flatMap((column) => [column, `-${column}` as const]);
}

type Sorting<Column extends string> = {
  order: SortOrder<Column>;
  onSort: (order: SortOrder<Column>) => void;
  /** The columns that a first press sorts descending. */
  descendingFirst: readonly Column[];
};

/**
 * For a column header's `sort`. A press sorts by the column, first in its own direction; the next
 * reverses the order.
 */
export function columnSort<Column extends string>(
  column: Column,
  { order, onSort, descendingFirst }: Sorting<Column>,
): NonNullable<ColumnHeaderProps['sort']> {
  return {
    direction: sortDirection(order, column),
    onSort: () => onSort(nextSortOrder(order, column, descendingFirst.includes(column))),
  };
}

/** The direction in which a table is sorted by a column; undefined if it is sorted by another. */
export function sortDirection<Column extends string>(
  order: SortOrder<Column>,
  column: Column,
): 'ascending' | 'descending' | undefined {
  if (order === column) return 'ascending';
  return order === `-${column}` ? 'descending' : undefined;
}

export function nextSortOrder<Column extends string>(
  order: SortOrder<Column>,
  column: Column,
  isDescendingFirst: boolean,
): SortOrder<Column> {
  const first = isDescendingFirst ? (`-${column}` as const) : column;
  const other = isDescendingFirst ? column : (`-${column}` as const);
  return order === first ? other : first;
}

export type Comparison<Row> = (a: Row, b: Row) => number;

/** Compares rows in a sort order. Rows that are the same in it are sorted by name. */
export function compareInOrder<Column extends string, Row extends { name: string; id: number }>(
  order: SortOrder<Column>,
  comparisons: Record<Column, Comparison<Row>>,
): Comparison<Row> {
  const isDescending = order.startsWith('-');
  const compare = comparisons[order.replace('-', '') as Column];
  return (a, b) =>
    (isDescending ? compare(b, a) : compare(a, b)) || compareNames(a, b) || a.id - b.id;
}

/** As people sort names: without regard to case, and 9 before 10. */
export function compareNames(a: { name: string }, b: { name: string }): number {
  return names.compare(a.name, b.name);
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Compares timestamps of the API. Null, for never, sorts as longest ago. */
export function compareTimes(a: string | null, b: string | null): number {
  return timeOf(a) - timeOf(b);
}

function timeOf(timestamp: string | null): number {
  return timestamp === null ? 0 : Date.parse(timestamp);
}
