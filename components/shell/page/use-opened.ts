import { type SingleParserBuilder, useQueryState } from 'nuqs';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';

/**
 * Which item of a list is open in its drawer, stored in the URL so that people can send links to
 * it. Opening one adds a history entry; going to the next one replaces it.
 */
export function useOpened<Id extends string | number>(
  name: string,
  parser: SingleParserBuilder<Id>,
): [id: Id | null, open: (id: Id | null) => void] {
  const [id, setId] = useQueryState(name, parser);
  return [id, open];

  function open(next: Id | null) {
    // Not `id`, which follows the URL a moment later.
    const isOpen = new URLSearchParams(window.location.search).has(name);
    changeAddress(setId(next, { history: isOpen ? 'replace' : 'push' }));
  }
}
