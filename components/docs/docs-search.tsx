import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef } from 'react';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { findInDocs } from '#lib/docs/find-in-docs.ts';
import type { SearchEntry } from '#lib/docs/site.ts';

type DocsSearchProps = {
  search: string;
  onSearch: (search: string) => void;
  onChoose: (() => void) | undefined;
};

/**
 * Searches the reference and the guides. The first letter loads the index. Enter and the arrow keys
 * move from the field to the results and through them; Escape clears the search.
 */
export function DocsSearch({ search, onSearch, onChoose }: DocsSearchProps) {
  const box = useRef<HTMLDivElement>(null);
  const isSearching = search.trim() !== '';
  const { data: entries, error } = useQuery({
    queryKey: ['documentation', 'search'],
    queryFn: readEntries,
    enabled: isSearching,
    staleTime: Infinity,
  });
  const found = isSearching && entries ? findInDocs(entries, search) : [];

  function onKeyDown(event: KeyboardEvent) {
    const links = [...(box.current?.querySelectorAll('a') ?? [])];
    const place = links.findIndex((link) => link === document.activeElement);
    if (event.key === 'Enter' && place === -1) links[0]?.click();
    else if (event.key === 'ArrowDown') links[Math.min(place + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp' && place > 0) links[place - 1]?.focus();
    else if (event.key === 'ArrowUp') box.current?.querySelector('input')?.focus();
    else return;
    event.preventDefault();
  }

  function choose() {
    onSearch('');
    onChoose?.();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that bubble from the field and the links
    <div ref={box} role="search" onKeyDown={onKeyDown}>
      <div className="[&_label]:w-full">
        <SearchField
          label="Search the documentation"
          placeholder="Search"
          value={search}
          onChange={onSearch}
        />
      </div>
      <p role="status" className="px-2 pt-3 text-micro text-ink-3 empty:hidden">
        {isSearching && describeFound(found.length, { isReady: entries !== undefined, error })}
      </p>
      {found.length > 0 && (
        <ul aria-label="Results" className="mt-1 grid gap-px">
          {found.map(({ href, title, place }) => (
            <li key={href}>
              <PageLink
                href={href}
                onClick={choose}
                className="block rounded-3 px-2 py-1.5 text-small text-ink no-underline hover:bg-fill-hover focus-visible:bg-fill-active pointer-coarse:min-h-11"
              >
                <span className="block wrap-anywhere">{title}</span>
                <span className="block truncate text-micro text-ink-3">{place}</span>
              </PageLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function describeFound(
  count: number,
  { isReady, error }: { isReady: boolean; error: Error | null },
): string {
  if (error) return 'The search could not be loaded. Change the text to try again.';
  if (!isReady) return 'Searching…';
  if (count === 0) return 'No results. Try other words.';
  return count === 1 ? '1 result' : `${count} results`;
}

async function readEntries(): Promise<SearchEntry[]> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`The search index: ${response.status}`);
  return (await response.json()) as SearchEntry[];
}
