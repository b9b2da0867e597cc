'use client';

import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Cell, ColumnHeader, Table, TableHead } from '#components/ui/data-display/table.tsx';

/** The table of all results. Each group is a body of it. */
export function DeskTable({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <Table caption={caption}>
      <TableHead>
        <ColumnHeader>Result</ColumnHeader>
        <ColumnHeader width={160} hideBelow="880px">
          Account
        </ColumnHeader>
        <ColumnHeader width={160}>State</ColumnHeader>
        <ColumnHeader width={110}>Last used</ColumnHeader>
        <ColumnHeader width={100} hideBelow="740px">
          Expires
        </ColumnHeader>
        <ColumnHeader width={150} isHidden>
          What you can do
        </ColumnHeader>
      </TableHead>
      {children}
    </Table>
  );
}

type ResultGroupProps = {
  label: string;
  group: { items: readonly unknown[]; has_more: boolean };
  /** Adds more results to the group. Undefined: there are never more. */
  more?: { isPending: boolean; disabledReason: string | undefined; onShow: () => void };
  children: ReactNode;
};

/** The results of one kind, if there are any. */
export function ResultGroup({ label, group, more, children }: ResultGroupProps) {
  const { items, has_more: hasMore } = group;
  const heading = useRef<HTMLTableCellElement>(null);
  const wasPressed = useRef(false);
  const keepFocus = useEffectEvent(() => {
    if (wasPressed.current && document.activeElement === document.body) heading.current?.focus();
  });
  // The pressed button is removed with the last results.
  useEffect(() => keepFocus(), [hasMore]);
  if (items.length === 0) return null;

  function showMore() {
    wasPressed.current = true;
    more?.onShow();
  }

  return (
    <tbody role="rowgroup" className="max-sm:block">
      <tr role="row" className="max-sm:block">
        <th
          ref={heading}
          tabIndex={-1}
          role="rowheader"
          scope="rowgroup"
          // Spans only the columns that are never hidden. Spanning a hidden one would create it again.
          colSpan={4}
          className="border-b border-line pt-4 pb-1.5 text-left text-small font-medium text-ink outline-none max-sm:block"
        >
          {label}{' '}
          <span className="ml-1 font-normal text-ink-3">
            {hasMore ? `the first ${items.length}` : items.length}
          </span>
        </th>
        <Cell hideBelow="880px" />
        <Cell hideBelow="740px" />
      </tr>
      {children}
      {hasMore && more && (
        <tr role="row" className="max-sm:block">
          <td role="cell" colSpan={4} className="py-2 max-sm:block">
            <Button
              size="small"
              pending={more.isPending}
              disabledReason={more.disabledReason}
              onClick={showMore}
            >
              Show more<span className="sr-only"> {label.toLowerCase()}</span>
            </Button>
          </td>
          <Cell hideBelow="880px" />
          <Cell hideBelow="740px" />
        </tr>
      )}
    </tbody>
  );
}
