/**
 * Splits a URL into two parts, for lines that are too short: `head` can be truncated, `tail` is
 * always shown, and starts with a whole word if it can. URLs of one server often differ only in
 * their last characters.
 */
export function splitUrl(url: string): { head: string; tail: string } {
  const shown = url.replace(/\/$/, '');
  const slash = shown.lastIndexOf('/');
  if (slash <= shown.indexOf('//') + 1) return { head: shown, tail: '' };
  const at = startOfPart(shown, Math.max(slash, shown.length - longestTail));
  return { head: shown.slice(0, at), tail: shown.slice(at) };
}

/** Where the next part of the URL starts, or `from` if what would be left is too short. */
function startOfPart(url: string, from: number): number {
  const start = url.slice(from, url.length - shortestTail + 1).search(/[/?&=._-]/);
  return start < 0 ? from : from + start;
}

const longestTail = 14;
const shortestTail = 4;
