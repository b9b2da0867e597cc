import type { SearchParams } from '#lib/paths/search-params.ts';

/**
 * The part of a query that the deliveries tab understands; null if there is none. Before the page
 * had tabs, these URLs had no `/deliveries`, and people still have such links.
 */
export function deliveriesSearchOf(search: SearchParams): string | null {
  const known = names.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return known.length === 0 ? null : new URLSearchParams(known).toString();
}

const names = ['delivery', 'replay', 'q', 'status', 'event', 'since', 'from', 'to'];
