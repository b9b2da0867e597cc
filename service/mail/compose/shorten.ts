/** A text with at most so many letters, as a reader counts them; what was cut off shows as `…`. */
export function shorten(text: string, most: number): string {
  // A letter takes at least one unit: most texts need no counting.
  if (text.length <= most) return text;
  const letters = [...new Intl.Segmenter('en').segment(text)];
  if (letters.length <= most) return text;
  const end = letters[most - 1]?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
