/** What the document is called while a page with this title is open. */
export function documentTitle(title: string): string {
  return `${title} · Conversation Service`;
}

/**
 * Calls the document after the page that renders this; each page has one.
 *
 * It comes and goes with the page. Next's `metadata` comes later, which left the document without a
 * title for a moment after a followed link.
 */
export function PageTitle({ children }: { children: string }) {
  return <title>{documentTitle(children)}</title>;
}
