/** The query of a URL, as Next passes it to a page. */
export type PageSearch = Record<string, string | string[] | undefined>;

/**
 * The part of a query that the deliveries tab understands; null if there is none. Before the page
 * had tabs, these URLs had no `/deliveries`, and people still have such links.
 */
export function deliveriesSearchOf(search: PageSearch): string | null {
  const known = names.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return known.length === 0 ? null : new URLSearchParams(known).toString();
}

const names = ['delivery', 'replay', 'q', 'status', 'event', 'since', 'from', 'to'];
