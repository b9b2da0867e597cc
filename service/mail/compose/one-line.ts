/**
 * Puts a value on one line. Control characters, including line breaks, become spaces. Characters
 * that change the direction of the text around them are removed, because with these one value could
 * change how the next ones read.
 */
export function oneLine(value: string): string {
  return (
    value
      // oxlint-disable-next-line no-control-regex -- leaving control characters out is the point
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .trim()
  );
}

/** Shortens a text to so many letters, as a reader counts them. `…` shows the cut. */
export function shorten(text: string, max: number): string {
  // A letter takes at least one unit, so most texts need no counting.
  if (text.length <= max) return text;
  const letters = [...new Intl.Segmenter('en').segment(text)];
  if (letters.length <= max) return text;
  const end = letters[max - 1]?.index ?? 0;
  return `${text.slice(0, end).trimEnd()}…`;
}
