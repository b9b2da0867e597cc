import { cn } from '#lib/class-names/cn.ts';

import { Cell, type HideBelow, type PhonePlace } from './table.tsx';

/** A gray bar in place of a value that is loading. */
export function Skeleton({ width, isSecond = false }: { width: number; isSecond?: boolean }) {
  // As high as the line of text: 20 px, or 16 and the 2 above it.
  return (
    <Bar width={width} className={isSecond ? 'mt-[11px] mb-1 h-2 opacity-60' : 'my-[5px] h-2.5'} />
  );
}

function Bar({ width, className }: { width: number; className: string }) {
  return (
    <span
      className={cn(
        'block max-w-full animate-reveal rounded-1 bg-fill-track forced-colors:bg-[GrayText]',
        className,
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
  /** Widths of the second lines that the cell has on a phone only. */
  phoneLines?: readonly number[];
  /** On a phone, the cell is below the others, as high as a button there. */
  isActionOnPhone?: boolean;
};

/** Rows of gray bars in place of data that is loading. They appear after 200 ms. */
export function SkeletonRows({ rows, cells }: { rows: number; cells: readonly SkeletonCell[] }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr
      key={row}
      aria-hidden
      className="max-sm:grid max-sm:grid-cols-[minmax(6rem,1fr)_minmax(0,auto)_auto] max-sm:gap-x-2 max-sm:border-b max-sm:border-line max-sm:py-2.5 max-sm:first:border-t"
    >
      {cells.map((cell, column) => (
        <Cell
          key={column}
          hideBelow={cell.hideBelow}
          onPhone={cell.onPhone}
          className={
            cell.isActionOnPhone
              ? 'max-sm:col-span-full max-sm:mt-2.5 max-sm:block! max-sm:h-11'
              : undefined
          }
        >
          {/* Bars of different lengths look like names. */}
          <Skeleton
            width={column === 0 ? cell.firstWidth * (uneven[row % 3] ?? 1) : cell.firstWidth}
          />
          {cell.secondWidth !== undefined && <Skeleton width={cell.secondWidth} isSecond />}
          {cell.phoneLines?.map((width, line) => (
            <span key={line} className="block h-4.5 pt-1.5 sm:hidden">
              <Bar width={width} className="h-2 opacity-60" />
            </span>
          ))}
        </Cell>
      ))}
    </tr>
  ));
}

const uneven = [1, 0.72, 1.1];
