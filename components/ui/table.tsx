'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

import { cn } from '#lib/cn.ts';

/* A phone stacks each row as a grid, and a changed display takes a table's meaning from some
   browsers; so every part states its role itself. */

export type TableProps = {
  /** Says what it lists; spoken, not seen. */
  caption: ReactNode;
  isBusy?: boolean;
  /** One-line rows of 40 px instead of two-line ones. */
  lines?: 'one' | 'two';
  className?: string;
  children: ReactNode;
};

/** Lies open on the page. A column with `hideBelow` is hidden while the table is narrower. */
export function Table({ caption, isBusy = false, lines = 'two', className, children }: TableProps) {
  return (
    <div className="@container">
      <table
        role="table"
        aria-busy={isBusy || undefined}
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

/** A column is hidden while the table is narrower than this. */
export type HideBelow = '880px' | '740px' | '560px';

export type ColumnHeaderProps = {
  /** Without a word it is read only ("Actions"). */
  children: ReactNode;
  isHidden?: boolean;
  /** In pixels; one column is left without and takes the rest. */
  width?: number;
  hideBelow?: HideBelow;
  isNumeric?: boolean;
  /** Given, the header is a button. `direction` only on the column that sorts now. */
  sort?: { direction: 'ascending' | 'descending' | undefined; onSort: () => void };
};

export function ColumnHeader({
  children,
  isHidden = false,
  width,
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
        hideBelow !== undefined && HIDDEN_BELOW[hideBelow],
      )}
    >
      {sort ? (
        <button
          type="button"
          onClick={sort.onSort}
          className={cn(
            'group/sort -mx-1.5 inline-flex h-6 cursor-default items-center gap-1 rounded-2 px-1.5 hover:bg-fill-hover hover:text-ink',
            sort.direction !== undefined && 'text-ink',
          )}
        >
          {children}
          <Arrow
            aria-hidden
            className={cn(
              'size-3! stroke-2!',
              // The arrow keeps its room, so that sorting never moves a neighbour.
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

export type RowProps = Omit<ComponentProps<'tr'>, 'role'> & {
  isSelected?: boolean;
  /** What is over (revoked, deleted) is written in label ink. */
  isEnded?: boolean;
};

export function Row({ isSelected, isEnded = false, className, ...rest }: RowProps) {
  return (
    <tr
      {...rest}
      role="row"
      aria-selected={isSelected}
      data-ended={isEnded || undefined}
      className={cn(
        'group/row row-bleed',
        'max-sm:grid max-sm:grid-cols-[minmax(6rem,1fr)_minmax(0,auto)_auto] max-sm:gap-x-2 max-sm:border-b max-sm:border-line max-sm:py-2.5 max-sm:first:border-t',
        isEnded && 'text-ink-3',
        className,
      )}
    />
  );
}

/** Where a cell stands in a phone's stacked row. Without one it is not shown there. */
export type PhonePlace = 'main' | 'top-end' | 'bottom-end' | 'end' | 'menu';

export type CellProps = Omit<ComponentProps<'td'>, 'role'> & {
  hideBelow?: HideBelow | undefined;
  onPhone?: PhonePlace | undefined;
  isNumeric?: boolean;
  /** The row's name: read as the header of every other cell. Use on the first cell. */
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
    'border-b border-line py-2.5 pr-4 text-left align-top font-normal last:pr-0 max-sm:border-0 max-sm:p-0',
    'group-data-[lines=one]/table:h-10 group-data-[lines=one]/table:py-2 group-data-[lines=one]/table:align-middle max-sm:group-data-[lines=one]/table:h-auto max-sm:group-data-[lines=one]/table:py-0',
    isNumeric && 'text-right',
    hideBelow !== undefined && HIDDEN_BELOW[hideBelow],
    onPhone === undefined ? 'max-sm:hidden' : PLACES[onPhone],
    className,
  );
  return isRowHeader ? (
    <th {...rest} scope="row" role="rowheader" className={classes} />
  ) : (
    <td {...rest} role="cell" className={classes} />
  );
}

/** The first line of a row's name: a link or plain words, cut at the end. */
export function RowName({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span
      className={cn(
        'block truncate font-medium text-ink group-data-ended/row:text-ink-3',
        '[&>a]:no-underline [&>a:hover]:underline [&>a:hover]:decoration-ink-3 [&>a:hover]:underline-offset-3',
        className,
      )}
    >
      {children}
    </span>
  );
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
      className={cn('mt-0.5 block truncate text-micro text-ink-3', mono && 'code-micro', className)}
    >
      {children}
    </span>
  );
}

/** What a column that left says instead, in another cell's second line. */
export function WhenColumnHidden({
  hideBelow,
  children,
}: {
  hideBelow: HideBelow;
  children: ReactNode;
}) {
  return <span className={cn('hidden', SHOWN_BELOW[hideBelow])}>{children}</span>;
}

/** A grey bar in the place of a value still on its way. */
export function Skeleton({ width, isSecond = false }: { width: number; isSecond?: boolean }) {
  return (
    <span
      className={cn(
        'block max-w-full animate-reveal rounded-1 bg-fill-track forced-colors:bg-[GrayText]',
        isSecond ? 'mt-2 mb-1 h-2 opacity-60' : 'my-[5px] h-2.5',
      )}
      style={{ width: `${width / 16}rem` }}
    />
  );
}

export type SkeletonCell = {
  /** Widths in pixels of the first and second line. */
  firstWidth: number;
  secondWidth?: number;
  hideBelow?: HideBelow;
  onPhone?: PhonePlace;
};

/** Rows in the final shape, unseen for the first 200 ms. */
export function SkeletonRows({ rows, cells }: { rows: number; cells: readonly SkeletonCell[] }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr
      key={row}
      aria-hidden
      className="max-sm:grid max-sm:grid-cols-[minmax(6rem,1fr)_minmax(0,auto)_auto] max-sm:gap-x-2 max-sm:border-b max-sm:border-line max-sm:py-2.5 max-sm:first:border-t"
    >
      {cells.map((cell, column) => (
        <Cell key={column} hideBelow={cell.hideBelow} onPhone={cell.onPhone}>
          {/* Names differ in length; equal bars would look like a value. */}
          <Skeleton
            width={column === 0 ? cell.firstWidth * (UNEVEN[row % 3] ?? 1) : cell.firstWidth}
          />
          {cell.secondWidth !== undefined && <Skeleton width={cell.secondWidth} isSecond />}
        </Cell>
      ))}
    </tr>
  ));
}

const UNEVEN = [1, 0.72, 1.1];

const HIDDEN_BELOW: Record<HideBelow, string> = {
  '880px': '@max-[880px]:hidden',
  '740px': '@max-[740px]:hidden',
  '560px': '@max-[560px]:hidden',
};

const SHOWN_BELOW: Record<HideBelow, string> = {
  '880px': '@max-[880px]:inline',
  '740px': '@max-[740px]:inline',
  '560px': '@max-[560px]:inline',
};

// A stacked row shows what its place says, whatever has left a narrow table.
const PLACES: Record<PhonePlace, string> = {
  main: 'max-sm:block! max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1',
  'top-end': 'max-sm:block! max-sm:col-start-2 max-sm:row-start-1 max-sm:text-right',
  'bottom-end':
    'max-sm:block! max-sm:col-start-2 max-sm:row-start-2 max-sm:text-right max-sm:text-micro max-sm:leading-[1.125rem] max-sm:text-ink-3',
  end: 'max-sm:block! max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 max-sm:text-right',
  menu: 'max-sm:block! max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:w-11',
};
