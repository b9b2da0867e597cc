'use client';

import { type ReactNode, useState } from 'react';

import { cn } from '#lib/class-names/cn.ts';

import { FilterButton } from './filter-button.tsx';

type ToolbarProps = {
  /** A `SearchField`, then `Select`s with a `label`. */
  children: ReactNode;
  /**
   * How many filters are set, without the search. If any is set, a phone shows the filters from
   * the start.
   */
  filterCount: number;
  /** How many are shown: "7 keys", "0 of 7 keys". Screen readers announce changes. */
  count: string;
};

/** Search and filters above a table. On a phone, a button shows and hides the filters. */
export function Toolbar({ children, filterCount, count }: ToolbarProps) {
  // Null until the button was pressed.
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const isShown = isOpen ?? filterCount > 0;
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
      <FilterButton
        filterCount={filterCount}
        isShown={isShown}
        onPress={() => setIsOpen(!isShown)}
      />
      <span role="status" className="ml-auto text-small text-ink-3 max-sm:sr-only">
        {count}
      </span>
    </div>
  );
}
