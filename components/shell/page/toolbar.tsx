import type { ComponentProps } from 'react';
import { SearchAndFilters } from './search-and-filters.tsx';

type ToolbarProps = ComponentProps<typeof SearchAndFilters> & {
  /** How many are shown: "7 keys", "0 of 7 keys". Screen readers announce changes. */
  count: string;
};

/** Search and filters above a table. */
export function Toolbar({ count, ...props }: ToolbarProps) {
  return (
    <div role="search" className="mb-3 flex flex-wrap items-center gap-2 print:hidden">
      <SearchAndFilters {...props} />
      <span role="status" className="ml-auto text-small text-ink-3 max-sm:sr-only">
        {count}
      </span>
    </div>
  );
}
