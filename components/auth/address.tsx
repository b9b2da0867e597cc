/** An email address, or whose it is, in a sentence. */
export function Address({ children }: { children: string }) {
  return <strong className="font-medium wrap-anywhere text-ink">{children}</strong>;
}
