import { SlidersHorizontal } from 'lucide-react';

import { IconButton } from '#components/ui/buttons/icon-button.tsx';

type FilterButtonProps = {
  /** How many filters are set, the search left out. */
  filterCount: number;
  /** Whether the filters are visible. */
  isShown: boolean;
  onPress: () => void;
};

/** On a phone, the button beside the search that shows and hides the filters. */
export function FilterButton({ filterCount, isShown, onPress }: FilterButtonProps) {
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
