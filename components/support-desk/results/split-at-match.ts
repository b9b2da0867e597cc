import { splitSearch } from '#lib/contract/support-desk/split-search.ts';

/**
 * Splits a URL for a line that may be too short: `head` can be truncated more than `tail`, which
 * starts with a word that was searched for if that would be cut off otherwise.
 */
export function splitAtMatch(url: string, search: string): { head: string; tail: string } {
  const places = splitSearch(search).words.map((word) => ({
    at: url.toLowerCase().indexOf(word.toLowerCase()),
    length: word.length,
  }));
  const hidden = places.find(({ at, length }) => at >= 0 && at + length > visibleLength);
  if (hidden === undefined) return { head: url, tail: '' };
  const { at } = hidden;
  return { head: url.slice(0, at), tail: url.slice(at) };
}

/** How many characters of a URL have space on a phone. */
const visibleLength = 28;
