/** An email address or a person's name within a sentence. */
export function Address({ children }: { children: string }) {
  return <strong className="font-medium wrap-anywhere text-ink">{children}</strong>;
}
