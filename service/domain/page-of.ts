/** A page cut from rows that were read one beyond `limit`, to learn whether there are more. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, nextCursor: rows.length > limit && last ? cursorAfter(last) : null };
}
