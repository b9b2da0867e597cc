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
