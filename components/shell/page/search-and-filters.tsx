// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { cn } from '#lib/class-names/cn.ts';

type SearchAndFiltersProps = {
  search: ReactNode;
  /** `Select`s with a `label`, and what belongs to them. */
  children: ReactNode;
  /** How many filters are set, without the search. If any is, a phone shows the filters. */
  filterCount: number;
};

/** Search and filters in a row that wraps. On a phone, a button shows the filters. */
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

type FilterButtonProps = {
  /** How many filters are set, the search left out. */
  filterCount: number;
  /** Whether the filters are visible. */
  isShown: boolean;
  onPress: () => void;
};

/** On a phone, the button next to the search that shows and hides the filters. */
function FilterButton({ filterCount, isShown, onPress }: FilterButtonProps) {
  return (
    <IconButton
      label={filterCount === 0 ? 'Filters' : `Filters, ${filterCount} set`}
      variant="secondary"
      size="normal"
      icon={
        <>
          <SlidersHorizontal />
          {filterCount > 0 && (
            <span className="absolute -top-1.5 -right-1.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent-solid px-1 text-micro leading-none font-medium text-on-accent tabular-nums">
              {filterCount}
            </span>
          )}
        </>
      }
      aria-expanded={isShown}
      className="relative sm:hidden"
      onClick={onPress}
    />
  );
}
