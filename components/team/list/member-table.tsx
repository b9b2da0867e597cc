'use client';

import type { ReactNode } from 'react';

import { SkeletonRows } from '#components/ui/data-display/skeleton.tsx';
import { ColumnHeader, Table, TableBody, TableHead } from '#components/ui/data-display/table.tsx';

import { columnWidths } from '../column-widths.ts';

type MemberTableProps = {
  caption: string;
  isBusy?: boolean;
  /** The rows. Without them, skeleton rows are shown. */
  children?: ReactNode;
};

export function MemberTable({ caption, isBusy = false, children }: MemberTableProps) {
  return (
    <Table caption={caption} isBusy={isBusy}>
      <TableHead>
        {/* All have a width, so that they share the remaining space of a wide table. */}
        <ColumnHeader width={columnWidths.member}>Member</ColumnHeader>
        <ColumnHeader width={columnWidths.role}>Role</ColumnHeader>
        <ColumnHeader width={columnWidths.lastSeen}>Last seen</ColumnHeader>
        <ColumnHeader width={columnWidths.secondFactor} hideBelow="700px">
          Second factor
        </ColumnHeader>
        <ColumnHeader width={columnWidths.actions} isHidden>
          Actions
        </ColumnHeader>
      </TableHead>
      <TableBody>{children ?? <SkeletonRows rows={4} cells={skeleton} />}</TableBody>
    </Table>
  );
}

const skeleton = [
  { firstWidth: 128, secondWidth: 176, phoneLines: [104], onPhone: 'main' },
  { firstWidth: 56, onPhone: 'top-end' },
  { firstWidth: 72, secondWidth: 112 },
  { firstWidth: 88, hideBelow: '700px' },
  { firstWidth: 0 },
] as const;
