/**
 * Shortens a text to at most this many letters, as a reader counts them. `…` shows that something
 * was cut off.
 */
export function shorten(text: string, most: number): string {
  // A letter takes at least one unit, so most texts need no counting.
  if (text.length <= most) return text;
  const letters = [...new Intl.Segmenter('en').segment(text)];
  if (letters.length <= most) return text;
  const end = letters[most - 1]?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
