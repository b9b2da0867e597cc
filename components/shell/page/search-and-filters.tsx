// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { type ReactNode, useState } from 'react';

import { cn } from '#lib/class-names/cn.ts';

import { FilterButton } from './filter-button.tsx';

type SearchAndFiltersProps = {
  /** A `SearchField`. */
  search: ReactNode;
  /** `Select`s with a `label`, and what belongs to them. */
  children: ReactNode;
  /**
   * How many filters are set, without the search. If any is set, a phone shows the filters from
   * the start.
   */
  filterCount: number;
};

/**
 * The search and the filters of a list, for a row that wraps. On a phone, a button beside the
 * search shows and hides the filters.
 */
export function SearchAndFilters({ search, children, filterCount }: SearchAndFiltersProps) {
  // Null until the button was pressed.
  const [wasShown, setAreShown] = useState<boolean | null>(null);
  const areShown = wasShown ?? filterCount > 0;
  return (
    <>
      {search}
      <FilterButton
        filterCount={filterCount}
        isShown={areShown}
        onPress={() => setAreShown(!areShown)}
      />
      <div
        className={cn('contents max-sm:[&>[role=combobox]]:flex-1', !areShown && 'max-sm:hidden')}
      >
        {children}
      </div>
    </>
  );
}
