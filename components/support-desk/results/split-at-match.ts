/**
 * Splits a URL for a line that may be too short: `head` can be truncated more than `tail`, which
 * starts with the text that was searched for if that would be cut off otherwise.
 */
export function splitAtMatch(url: string, search: string): { head: string; tail: string } {
  const at = url.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0 || at + search.length <= visibleLength) return { head: url, tail: '' };
  return { head: url.slice(0, at), tail: url.slice(at) };
}

/** How many characters of a URL have space on a phone. */
const visibleLength = 28;
