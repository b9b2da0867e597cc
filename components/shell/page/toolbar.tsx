'use client';

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { IconButton } from '#components/ui/icon-button.tsx';
import { cn } from '#lib/cn.ts';

export type ToolbarProps = {
  /** A `SearchField`, then `Select`s with a `label`. */
  children: ReactNode;
  /** Some filter is set; on a phone they then stay in sight. */
  isFiltered?: boolean;
  /** How many are shown ("7 keys", "0 of 7 keys"); said aloud as it changes. */
  count: string;
};

/** Search and filters above a table. A phone keeps the filters behind a button until they are wanted. */
export function Toolbar({ children, isFiltered = false, count }: ToolbarProps) {
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || isFiltered;
  return (
    <div
      role="search"
      className={cn(
        'mb-3 flex flex-wrap items-center gap-2 print:hidden',
        // The search and the filters' button share a phone's first line; the filters follow on the next.
        'max-sm:[&>[role=combobox]]:order-1 max-sm:[&>[role=combobox]]:flex-1 max-sm:[&>label]:w-auto max-sm:[&>label]:min-w-0 max-sm:[&>label]:flex-[1_1_calc(100%-3.5rem)]',
        !isShown && 'max-sm:[&>[role=combobox]]:hidden',
      )}
    >
      {children}
      <IconButton
        label="Filters"
        variant="secondary"
        size="normal"
        icon={<SlidersHorizontal />}
        aria-expanded={isShown}
        className="sm:hidden"
        onClick={() => setOpen(!isOpen)}
      />
      <span role="status" className="ml-auto text-small text-ink-3 max-sm:sr-only">
        {count}
      </span>
    </div>
  );
}
