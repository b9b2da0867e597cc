/** The document's title while a page with this title is open. */
export function documentTitle(title: string): string {
  return `${title} · Conversation Service`;
}

/** Sets the document's title with the page: Next's `metadata` would arrive a moment later. */
export function PageTitle({ children }: { children: string }) {
  return <title>{documentTitle(children)}</title>;
}
