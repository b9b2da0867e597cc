export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column] ?? ''))),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(width - widthOf(cell));
}

/** The number of characters as a reader counts them. */
function widthOf(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}

/** The day of a time in UTC, for a column: `2026-11-20`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, '2026-11-20'.length);
}
