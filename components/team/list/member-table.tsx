'use client';

import type { ReactNode } from 'react';

import {
  ColumnHeader,
  SkeletonRows,
  Table,
  TableBody,
  TableHead,
} from '#components/ui/data-display/table.tsx';

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
        {/* All have a width, so that they share what a wide table has beyond these. */}
        <ColumnHeader width={220}>Member</ColumnHeader>
        <ColumnHeader width={140}>Role</ColumnHeader>
        <ColumnHeader width={160}>Last seen</ColumnHeader>
        <ColumnHeader width={28} isHidden>
          Actions
        </ColumnHeader>
      </TableHead>
      <TableBody>{children ?? <SkeletonRows rows={4} cells={SKELETON} />}</TableBody>
    </Table>
  );
}

const SKELETON = [
  { firstWidth: 128, secondWidth: 176, onPhone: 'main' },
  { firstWidth: 56, onPhone: 'top-end' },
  { firstWidth: 72, secondWidth: 112 },
  { firstWidth: 0 },
] as const;
