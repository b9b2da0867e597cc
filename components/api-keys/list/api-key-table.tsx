'use client';

import type { ReactNode } from 'react';

import { columnSort } from '#components/ui/data-display/sort-order.ts';
import { SkeletonRows } from '#components/ui/data-display/skeleton.tsx';
import { ColumnHeader, Table, TableBody, TableHead } from '#components/ui/data-display/table.tsx';

import type { ApiKeyView, SortColumn } from './select-api-keys.ts';

type ApiKeyTableProps = {
  caption: string;
  sort?: ApiKeyView['sort'];
  onSort?: (sort: ApiKeyView['sort']) => void;
  isBusy?: boolean;
  /** The rows. Without them, skeleton rows are shown. */
  children?: ReactNode;
};

export function ApiKeyTable({ caption, sort, onSort, isBusy = false, children }: ApiKeyTableProps) {
  // While rows are loading there is nothing to sort.
  function sortOf(column: SortColumn) {
    if (sort === undefined || onSort === undefined) return {};
    return { sort: columnSort(column, { order: sort, onSort, descendingFirst: ['last_used'] }) };
  }

  return (
    <Table caption={caption} isBusy={isBusy}>
      <TableHead>
        <ColumnHeader className={nameWidth} {...sortOf('name')}>
          Name
        </ColumnHeader>
        <ColumnHeader width={100} hideBelow="960px" {...sortOf('type')}>
          Type
        </ColumnHeader>
        <ColumnHeader width={186} hideBelow="880px">
          Scopes
        </ColumnHeader>
        <ColumnHeader width={130} {...sortOf('last_used')}>
          Last used
        </ColumnHeader>
        <ColumnHeader width={112} hideBelow="740px" {...sortOf('expires')}>
          Expires
        </ColumnHeader>
        <ColumnHeader {...sortOf('status')}>Status</ColumnHeader>
        <ColumnHeader width={28} isHidden>
          Actions
        </ColumnHeader>
      </TableHead>
      <TableBody>{children ?? <SkeletonRows rows={5} cells={skeleton} />}</TableBody>
    </Table>
  );
}

/**
 * The width that the other columns, including hidden ones, leave, with 206 px for the status and
 * more where columns are hidden. In a narrow table the name keeps 206 px and the status is narrower.
 */
const nameWidth =
  'w-[max(12.875rem,100cqw-47.625rem)] @max-[60rem]:w-[max(12.875rem,100cqw-42.125rem)] @max-[55rem]:w-[max(12.875rem,100cqw-32.125rem)] @max-[46.25rem]:w-[max(12.875rem,100cqw-25.125rem)]';

const skeleton = [
  { firstWidth: 128, secondWidth: 92, onPhone: 'main' },
  { firstWidth: 64, hideBelow: '960px' },
  { firstWidth: 118, hideBelow: '880px' },
  { firstWidth: 70, secondWidth: 84 },
  { firstWidth: 76, hideBelow: '740px' },
  { firstWidth: 88, onPhone: 'end' },
  { firstWidth: 0 },
] as const;
