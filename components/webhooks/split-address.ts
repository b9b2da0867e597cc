/**
 * An address in two parts, for a line too short for it: `head` is cut at its end, `tail` always
 * stands. Addresses of one server often differ in their last letters only.
 */
export function splitAddress(url: string): { head: string; tail: string } {
  const shown = url.replace(/\/$/, '');
  const slash = shown.lastIndexOf('/');
  if (slash <= shown.indexOf('//') + 1) return { head: shown, tail: '' };
  const at = Math.max(slash, shown.length - LONGEST_TAIL);
  return { head: shown.slice(0, at), tail: shown.slice(at) };
}

const LONGEST_TAIL = 14;
