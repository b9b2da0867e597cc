'use client';

import type { ReactNode } from 'react';

import { columnSort } from '#components/ui/data-display/sort-order.ts';
import {
  ColumnHeader,
  SkeletonRows,
  Table,
  TableBody,
  TableHead,
} from '#components/ui/data-display/table.tsx';

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
        <ColumnHeader width={206} {...sortOf('name')}>
          Name
        </ColumnHeader>
        <ColumnHeader width={112} hideBelow="880px" {...sortOf('type')}>
          Type
        </ColumnHeader>
        <ColumnHeader width={214} hideBelow="740px">
          Scopes
        </ColumnHeader>
        <ColumnHeader width={142} {...sortOf('last_used')}>
          Last used
        </ColumnHeader>
        <ColumnHeader {...sortOf('status')}>Status</ColumnHeader>
        <ColumnHeader width={28} isHidden>
          Actions
        </ColumnHeader>
      </TableHead>
      <TableBody>{children ?? <SkeletonRows rows={5} cells={SKELETON} />}</TableBody>
    </Table>
  );
}

const SKELETON = [
  { firstWidth: 128, secondWidth: 92, onPhone: 'main' },
  { firstWidth: 64, hideBelow: '880px' },
  { firstWidth: 118, hideBelow: '740px' },
  { firstWidth: 70, secondWidth: 84 },
  { firstWidth: 88, onPhone: 'end' },
  { firstWidth: 0 },
] as const;
