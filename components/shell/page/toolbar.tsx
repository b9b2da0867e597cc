'use client';

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { cn } from '#lib/cn.ts';

export type ToolbarProps = {
  /** A `SearchField`, then `Select`s with a `label`. */
  children: ReactNode;
  /** Whether a filter is set. On a phone the filters stay visible then. */
  isFiltered?: boolean;
  /** How many are shown: "7 keys", "0 of 7 keys". Screen readers announce changes. */
  count: string;
};

/** Search and filters above a table. On a phone, a button shows the filters. */
export function Toolbar({ children, isFiltered = false, count }: ToolbarProps) {
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen || isFiltered;
  return (
    <div
      role="search"
      className={cn(
        'mb-3 flex flex-wrap items-center gap-2 print:hidden',
        // On a phone, the search and the filter button are on the first line, the filters on the
        // next.
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
