import type { ColumnSort } from './table.tsx';

/** The column a table is sorted by. A minus before it means descending. */
export type SortOrder<Column extends string> = Column | `-${Column}`;

/** All sort orders of a table, for parsing the URL. */
export function sortOrdersOf<Column extends string>(
  columns: readonly Column[],
): SortOrder<Column>[] {
  return columns.flatMap((column) => [column, `-${column}` as const]);
}

function parseSortOrder<Column extends string>(
  order: SortOrder<Column>,
): { column: Column; isDescending: boolean } {
  const isDescending = order.startsWith('-');
  // TypeScript does not infer what remains of a text without its minus.
  return { column: (isDescending ? order.slice(1) : order) as Column, isDescending };
}

type Sorting<Column extends string> = {
  order: SortOrder<Column>;
  onSort: (order: SortOrder<Column>) => void;
  /** The columns that a first press sorts descending. */
  descendingFirst: readonly Column[];
};

/** For a column's header. The first press sorts in its own direction; the next one reverses it. */
export function columnSort<Column extends string>(
  column: Column,
  { order, onSort, descendingFirst }: Sorting<Column>,
): ColumnSort {
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
  const sorted = parseSortOrder(order);
  if (sorted.column !== column) return undefined;
  return sorted.isDescending ? 'descending' : 'ascending';
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

/** The value by which a row is sorted in a column; null if it has none. */
export type SortValue<Row> = (row: Row) => string | number | null;

/** Compares rows: those without a value come last in both directions, equal ones are by name. */
export function compareInOrder<Column extends string, Row extends { name: string; id: number }>(
  order: SortOrder<Column>,
  values: Record<Column, SortValue<Row>>,
): (a: Row, b: Row) => number {
  const { column, isDescending } = parseSortOrder(order);
  const sign = isDescending ? -1 : 1;
  const valueOf = values[column];
  return (a, b) =>
    compareValues(valueOf(a), valueOf(b), sign) || names.compare(a.name, b.name) || a.id - b.id;
}

function compareValues(a: string | number | null, b: string | number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * names.compare(String(a), String(b));
}

/** As people sort names: without regard to case, and 9 before 10. */
const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A timestamp of the API as a value to sort by. */
export function timeValue(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
