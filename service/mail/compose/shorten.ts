/**
 * Shortens a text to at most this many letters, as a reader counts them. `…` shows that something
 * was cut off.
 */
export function shorten(text: string, max: number): string {
  // A letter takes at least one unit, so most texts need no counting.
  if (text.length <= max) return text;
  const letters = [...new Intl.Segmenter('en').segment(text)];
  if (letters.length <= max) return text;
  const end = letters[max - 1]?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
