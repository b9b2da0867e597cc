'use client';

import type { ReactNode } from 'react';

import { ColumnHeader, SkeletonRows, Table, TableBody, TableHead } from '#components/ui/table.tsx';

import type { ApiKeyQuestion, SortColumn } from './select-api-keys.ts';

type ApiKeyTableProps = {
  caption: string;
  sort?: ApiKeyQuestion['sort'];
  onSort?: (column: SortColumn) => void;
  isBusy?: boolean;
  /** The rows; skeletons without. */
  children?: ReactNode;
};

export function ApiKeyTable({ caption, sort, onSort, isBusy = false, children }: ApiKeyTableProps) {
  function sortOf(column: SortColumn) {
    if (onSort === undefined) return {};
    const direction =
      sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined;
    return { sort: { direction, onSort: () => onSort(column) } } as const;
  }

  return (
    <Table caption={caption} isBusy={isBusy}>
      <TableHead>
        <ColumnHeader width={206} {...sortOf('name')}>
          Name
        </ColumnHeader>
        <ColumnHeader width={112} leaves="first" {...sortOf('type')}>
          Type
        </ColumnHeader>
        <ColumnHeader width={214} leaves="second">
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
  { first: 128, second: 92, onPhone: 'main' },
  { first: 64, leaves: 'first' },
  { first: 118, leaves: 'second' },
  { first: 70, second: 84 },
  { first: 88, onPhone: 'end' },
  { first: 0 },
] as const;
