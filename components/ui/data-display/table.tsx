'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';

import { cn } from '#lib/class-names/cn.ts';

/*
 * On a phone each row is a CSS grid, and with another `display` some browsers drop the table's
 * semantics; so every part has its role as an attribute.
 */

export type TableProps = {
  /** What the table lists, for screen readers. */
  caption: ReactNode;
  isBusy?: boolean;
  /**
   * The rows are those of an earlier filter, until the new ones are loaded: they are dimmed, and
   * nothing in them can be used.
   */
  isStale?: boolean;
  /** One-line rows of 40 px instead of two-line ones. */
  lines?: 'one' | 'two';
  className?: string;
  children: ReactNode;
};

/** A table without a frame. Columns with `hideBelow` are hidden while the table is narrower. */
export function Table({
  caption,
  isBusy = false,
  isStale = false,
  lines = 'two',
  className,
  children,
}: TableProps) {
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
        className={cn('group/table w-full table-fixed border-collapse max-sm:block', className)}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="max-sm:sr-only">
      <tr role="row">{children}</tr>
    </thead>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="max-sm:block">
      {children}
    </tbody>
  );
}

/** The width of the table below which a column is hidden, at the usual size of text. */
export type HideBelow = '960px' | '880px' | '740px' | '700px' | '560px';

export type ColumnHeaderProps = {
  /** The column's name; with `isHidden` for screen readers only. */
  children: ReactNode;
  isHidden?: boolean;
  /** In pixels. One column has no width and takes the rest. */
  width?: number;
  /** For a width that depends on that of the table. */
  className?: string;
  hideBelow?: HideBelow;
  isNumeric?: boolean;
  /** Makes the header a button. `direction` is set only for the column that is sorted by. */
  sort?: { direction: 'ascending' | 'descending' | undefined; onSort: () => void };
};

export function ColumnHeader({
  children,
  isHidden = false,
  width,
  className,
  hideBelow,
  isNumeric = false,
  sort,
}: ColumnHeaderProps) {
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
        className,
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
          {children}
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
        <span className={isHidden ? 'sr-only' : undefined}>{children}</span>
      )}
    </th>
  );
}

type RowProps = Omit<ComponentProps<'tr'>, 'role'> & {
  isSelected?: boolean;
  /** Shows a row that has ended, such as a revoked key, in gray. */
  isEnded?: boolean;
};

export function Row({ isSelected, isEnded = false, className, ...rest }: RowProps) {
  return (
    <tr
      {...rest}
      role="row"
      aria-selected={isSelected}
      data-ended={isEnded || undefined}
      className={cn('group/row list-row', isEnded && 'text-ink-3', className)}
    />
  );
}

/** Where a cell is placed on a phone. Without a place it is hidden there. */
export type PhonePlace = 'main' | 'top-end' | 'bottom-end' | 'end' | 'menu';

type CellProps = Omit<ComponentProps<'td'>, 'role'> & {
  hideBelow?: HideBelow | undefined;
  onPhone?: PhonePlace | undefined;
  isNumeric?: boolean;
  /** Makes the cell the row's header. Use it on the first cell. */
  isRowHeader?: boolean;
};

export function Cell({
  hideBelow,
  onPhone,
  isNumeric = false,
  isRowHeader = false,
  className,
  ...rest
}: CellProps) {
  const classes = cn(
    'list-cell',
    isNumeric && 'text-right',
    hideBelow !== undefined && hiddenBelow[hideBelow],
    onPhone === undefined ? 'max-sm:hidden' : places[onPhone],
    className,
  );
  return isRowHeader ? (
    <th {...rest} scope="row" role="rowheader" className={classes} />
  ) : (
    <td {...rest} role="cell" className={classes} />
  );
}

/**
 * Takes the place of rows that are added later, so that after a reload the page is as long as
 * before and the browser finds the place to which it was scrolled.
 */
export function RowsPlaceholder({
  count,
  lines = 'two',
}: { count: number } & Pick<TableProps, 'lines'>) {
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

/** The first line of a row's header cell: a link or text, truncated at the end. */
export function RowName({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cn('list-name', className)}>{children}</span>;
}

/** A cell's second line. */
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
  '960px': '@max-[60rem]:hidden',
  '880px': '@max-[55rem]:hidden',
  '740px': '@max-[46.25rem]:hidden',
  '700px': '@max-[43.75rem]:hidden',
  '560px': '@max-[35rem]:hidden',
};

const shownBelow: Record<HideBelow, string> = {
  '960px': '@max-[60rem]:inline',
  '880px': '@max-[55rem]:inline',
  '740px': '@max-[46.25rem]:inline',
  '700px': '@max-[43.75rem]:inline',
  '560px': '@max-[35rem]:inline',
};

// On a phone a cell is shown by its `onPhone`, even if the column is hidden at that width. Where the
// page is narrow, the cells are below one another, beside the menu.
const places: Record<PhonePlace, string> = {
  main: 'max-sm:block! max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1 max-narrow:row-span-1',
  'top-end':
    'max-sm:block! max-sm:col-start-2 max-sm:row-start-1 max-sm:text-right max-narrow:col-start-1 max-narrow:row-start-2 max-narrow:text-left',
  'bottom-end':
    'max-sm:block! max-sm:col-start-2 max-sm:row-start-2 max-sm:text-right max-sm:text-micro max-sm:leading-[1.125rem] max-sm:text-ink-3 max-narrow:col-start-1 max-narrow:row-start-3 max-narrow:text-left',
  end: 'max-sm:block! max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 max-sm:text-right max-narrow:col-start-1 max-narrow:row-start-2 max-narrow:text-left',
  menu: 'max-sm:block! max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:w-11 max-narrow:col-start-2',
};
