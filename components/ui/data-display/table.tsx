import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { Bar, Skeleton } from './skeleton.tsx';

/*
 * On a phone each row is a CSS grid, and with another `display` some browsers drop the table's
 * semantics; so every part has its role as an attribute.
 */

/** The width of the table below which a column is hidden, at the usual size of text. */
type HideBelow = '1080px' | '960px' | '880px' | '740px' | '700px' | '560px';

/** Where a cell is placed on a phone; `below` is under the others, in the whole width of the row. */
export type PhonePlace = 'main' | 'top-end' | 'bottom-end' | 'end' | 'menu' | 'below';

/** A column without its cells: a loading page imports only columns, not the code of the cells. */
export type Column<Id extends string = string, Sort extends string = string> = {
  id: Id;
  /** Null: the cells are shown only on phones, where no column has a header. */
  header: string | null;
  /** Whether the header is for screen readers only. */
  isHeaderHidden?: boolean;
  /** The name by which the table is sorted by this column. */
  sort?: Sort;
  /** In pixels. A column without a width takes the rest. */
  width?: number;
  /** For a width that depends on that of the table. */
  headerClass?: string;
  hideBelow?: HideBelow | undefined;
  /** Without a place, the cells are hidden on phones. */
  onPhone?: PhonePlace;
  isNumeric?: boolean;
  cellClass?: string;
  /** The widths in pixels of the gray bars in place of the first and second line. */
  skeleton?: readonly number[];
  /** Those of further lines, which only a phone shows. */
  phoneSkeleton?: readonly number[];
};

/** All columns of a table. The cells of the first are the headers of the rows. */
export type Columns = readonly Column[];

export type Lines = {
  /** One-line rows of 40 px instead of two-line ones. */
  lines?: 'one' | 'two';
};

/** What the header of a column that can be sorted by shows and does. */
export type ColumnSort = {
  /** Set only for the column that the table is sorted by. */
  direction: 'ascending' | 'descending' | undefined;
  onSort: () => void;
};

export type TableProps<Id extends string, Sort extends string> = Lines & {
  columns: readonly Column<Id, Sort>[];
  /** What the table lists, for screen readers. */
  caption: ReactNode;
  isBusy?: boolean;
  /** The rows are those of an earlier filter: dimmed, and nothing in them can be used. */
  isStale?: boolean;
  /** Makes the headers of columns with `sort` buttons. */
  sortOf?: (sort: Sort) => ColumnSort;
};

type DataTableSkeletonProps = Lines & { columns: Columns; caption: string; rows: number };

/** The table while its rows are loading: gray bars, which appear after 200 ms. */
export function DataTableSkeleton({ rows, ...table }: DataTableSkeletonProps) {
  // Renders rarely. Compiled for memoization, it would be larger.
  'use no memo';
  const columns = table.columns.filter(({ header }) => header !== null);
  return (
    <TableFrame {...table} isBusy>
      <TableBody>
        {Array.from({ length: rows }, (_, row) => (
          <tr
            key={row}
            aria-hidden
            className="max-sm:grid max-sm:grid-cols-[minmax(6rem,1fr)_minmax(0,auto)_auto] max-sm:gap-x-2 max-sm:border-b max-sm:border-line max-sm:py-2.5 max-sm:first:border-t"
          >
            {columns.map(({ id, hideBelow, onPhone, skeleton = [], phoneSkeleton }, index) => (
              <td
                key={id}
                role="cell"
                className={cn(
                  cellClassOf({ hideBelow }, onPhone),
                  // As high as a button.
                  onPhone === 'below' && 'max-sm:h-11',
                  // Only the first line is shown there.
                  onPhone === 'bottom-end' && 'max-sm:[&>:nth-child(2)]:hidden',
                )}
              >
                {skeleton.map((width, line) => (
                  <Skeleton
                    key={line}
                    // Bars of different lengths look like names.
                    width={index + line === 0 ? width * (uneven[row % 3] ?? 1) : width}
                    isSecond={line > 0}
                  />
                ))}
                {phoneSkeleton?.map((width, line) => (
                  <span key={line} className="block h-4.5 pt-1.5 sm:hidden">
                    <Bar width={width} className="h-2 opacity-60" />
                  </span>
                ))}
              </td>
            ))}
          </tr>
        ))}
      </TableBody>
    </TableFrame>
  );
}

const uneven = [1, 0.72, 1.1];

/** The table around bodies of rows, for a table that groups them; else use `DataTable`. */
export function TableFrame<Id extends string, Sort extends string>({
  columns,
  caption,
  isBusy = false,
  isStale = false,
  lines = 'two',
  sortOf,
  children,
}: TableProps<Id, Sort> & { children: ReactNode }) {
  return (
    // Isolated, so that the backgrounds of rows are painted below their text but above the page.
    <div
      inert={isStale}
      className={cn('@container isolate transition-opacity', isStale && 'opacity-60')}
    >
      <table
        role="table"
        aria-busy={isBusy || isStale || undefined}
        data-lines={lines}
        className="group/table w-full table-fixed border-collapse max-sm:block"
      >
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row">
            {columns.map(
              (column) =>
                column.header !== null && (
                  <ColumnHeader
                    key={column.id}
                    column={column}
                    sort={column.sort === undefined ? undefined : sortOf?.(column.sort)}
                  />
                ),
            )}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="max-sm:block">
      {children}
    </tbody>
  );
}

type ColumnHeaderProps = { column: Column; sort: ColumnSort | undefined };

function ColumnHeader({ column, sort }: ColumnHeaderProps) {
  const { header, isHeaderHidden, width, headerClass, hideBelow, isNumeric } = column;
  const Arrow = sort?.direction === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      role="columnheader"
      aria-sort={sort?.direction}
      style={width === undefined ? undefined : { width: `${width / 16}rem` }}
      className={cn(
        'h-9 border-b border-line pr-4 text-micro font-medium whitespace-nowrap text-ink-3 last:pr-0',
        isNumeric ? 'text-right' : 'text-left',
        hideBelow !== undefined && hiddenBelow[hideBelow],
        headerClass,
      )}
    >
      {sort ? (
        <button
          type="button"
          onClick={sort.onSort}
          className={cn(
            'group/sort -mx-1.5 inline-flex h-6 cursor-default items-center gap-1 rounded-2 px-1.5 hover:bg-fill-hover hover:text-ink',
            // The arrow comes first, so that the name ends where the numbers below it end.
            isNumeric && 'flex-row-reverse',
            sort.direction !== undefined && 'text-ink',
          )}
        >
          {header}
          <Arrow
            aria-hidden
            className={cn(
              'size-3! stroke-2!',
              // The arrow always takes its space, so that sorting does not move other headers.
              sort.direction === undefined &&
                'opacity-0 group-hover/sort:opacity-60 group-focus-visible/sort:opacity-60',
            )}
          />
        </button>
      ) : (
        <span className={isHeaderHidden ? 'sr-only' : undefined}>{header}</span>
      )}
    </th>
  );
}

export function cellClassOf(
  { hideBelow, isNumeric, cellClass }: Partial<Column>,
  place: PhonePlace | undefined,
): string {
  return cn(
    'list-cell',
    isNumeric && 'text-right',
    hideBelow !== undefined && hiddenBelow[hideBelow],
    place === undefined ? 'max-sm:hidden' : places[place],
    cellClass,
  );
}

/** The first line of a row's header cell: a link or text, truncated at the end. */
export function RowName({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cn('list-name', className)}>{children}</span>;
}

export function SecondLine({
  children,
  mono = false,
  className,
}: {
  children: ReactNode;
  mono?: boolean;
  className?: string;
}) {
  return (
    <span
      translate={mono ? 'no' : undefined}
      className={cn('mt-0.5 block truncate text-micro text-ink-3', mono && 'code-micro', className)}
    >
      {children}
    </span>
  );
}

/** Shows the content of a hidden column in another cell. */
export function WhenColumnHidden({
  hideBelow,
  children,
}: {
  hideBelow: HideBelow;
  children: ReactNode;
}) {
  return <span className={cn('hidden', shownBelow[hideBelow])}>{children}</span>;
}

const hiddenBelow: Record<HideBelow, string> = {
  '1080px': '@max-[67.5rem]:hidden',
  '960px': '@max-[60rem]:hidden',
  '880px': '@max-[55rem]:hidden',
  '740px': '@max-[46.25rem]:hidden',
  '700px': '@max-[43.75rem]:hidden',
  '560px': '@max-[35rem]:hidden',
};

const shownBelow: Record<HideBelow, string> = {
  '1080px': '@max-[67.5rem]:inline',
  '960px': '@max-[60rem]:inline',
  '880px': '@max-[55rem]:inline',
  '740px': '@max-[46.25rem]:inline',
  '700px': '@max-[43.75rem]:inline',
  '560px': '@max-[35rem]:inline',
};

// On a phone a cell is shown by its `onPhone`, even if the column is hidden at that width. Where
// the page is narrow, the cells are below one another, next to the menu.
const places: Record<PhonePlace, string> = {
  main: 'max-sm:block! max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1 max-narrow:row-span-1',
  'top-end':
    'max-sm:block! max-sm:col-start-2 max-sm:row-start-1 max-sm:text-right max-narrow:col-start-1 max-narrow:row-start-2 max-narrow:text-left',
  'bottom-end':
    'max-sm:block! max-sm:col-start-2 max-sm:row-start-2 max-sm:text-right max-sm:text-micro max-sm:leading-[1.125rem] max-sm:text-ink-3 max-narrow:col-start-1 max-narrow:row-start-3 max-narrow:text-left',
  end: 'max-sm:block! max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 max-sm:text-right max-narrow:col-start-1 max-narrow:row-start-2 max-narrow:text-left',
  below: 'max-sm:col-span-full max-sm:mt-2.5 max-sm:block!',
  menu: 'max-sm:block! max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:w-11 max-narrow:col-start-2',
};
