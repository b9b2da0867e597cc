'use client';

import type { ReactNode } from 'react';

import { columnSort } from '#components/ui/data-display/sort-order.ts';
import { type SkeletonCell, SkeletonRows } from '#components/ui/data-display/skeleton.tsx';
import { ColumnHeader, Table, TableBody, TableHead } from '#components/ui/data-display/table.tsx';

import type { SortColumn, WebhookView } from './webhook-view.ts';

type WebhookTableProps = {
  caption: string;
  sort: WebhookView['sort'];
  onSort: (sort: WebhookView['sort']) => void;
  isBusy?: boolean;
  /** Rows. */
  children: ReactNode;
};

export function WebhookTable({ caption, sort, onSort, isBusy, children }: WebhookTableProps) {
  function sortOf(column: SortColumn) {
    return {
      sort: columnSort(column, { order: sort, onSort, descendingFirst: ['failures', 'triggered'] }),
    };
  }
  return (
    <Table caption={caption} isBusy={isBusy ?? false}>
      <TableHead>
        <ColumnHeader {...sortOf('name')}>Name</ColumnHeader>
        <ColumnHeader width={208} {...sortOf('status')}>
          Status
        </ColumnHeader>
        <ColumnHeader width={204} hideBelow="880px">
          Events
        </ColumnHeader>
        <ColumnHeader width={76} hideBelow="740px" isNumeric {...sortOf('failures')}>
          Failures
        </ColumnHeader>
        <ColumnHeader width={108} {...sortOf('triggered')}>
          Last triggered
        </ColumnHeader>
        <ColumnHeader width={28} isHidden>
          Actions
        </ColumnHeader>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  );
}

/** The table while its rows are loading. */
export function WebhookTableSkeleton() {
  return (
    <WebhookTable caption="Loading webhooks" sort="name" onSort={() => {}} isBusy>
      <SkeletonRows rows={4} cells={skeleton} />
    </WebhookTable>
  );
}

const skeleton: readonly SkeletonCell[] = [
  { firstWidth: 130, secondWidth: 210, onPhone: 'main' },
  { firstWidth: 70, onPhone: 'end' },
  { firstWidth: 150, hideBelow: '880px' },
  { firstWidth: 14, hideBelow: '740px' },
  { firstWidth: 64 },
  { firstWidth: 16 },
];
