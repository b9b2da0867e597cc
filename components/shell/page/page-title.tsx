/** The document's title while a page with this title is open. */
export function documentTitle(title: string): string {
  return `${title} · Conversation Service`;
}

/**
 * Sets the document's title; each page renders one of these.
 *
 * The title is mounted and unmounted with the page. Next's `metadata` arrives later, which left the
 * document without a title for a moment after a link was followed.
 */
export function PageTitle({ children }: { children: string }) {
  return <title>{documentTitle(children)}</title>;
}
