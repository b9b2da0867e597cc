/** A dash in place of a value that does not exist; screen readers say "None". */
export function NoValue() {
  return (
    <>
      <span aria-hidden className="text-ink-3">
        –
      </span>
      <span className="sr-only">None</span>
    </>
  );
}
