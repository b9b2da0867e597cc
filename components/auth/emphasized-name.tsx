/** An email address or a person's name within a sentence. */
export function EmphasizedName({ children }: { children: string }) {
  return <strong className="font-medium wrap-anywhere text-ink">{children}</strong>;
}
