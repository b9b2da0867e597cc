/**
 * Splits a URL into two parts, for lines that are too short: `head` can be truncated, `tail` is
 * always shown. URLs of one server often differ only in their last characters.
 */
export function splitUrl(url: string): { head: string; tail: string } {
  const shown = url.replace(/\/$/, '');
  const slash = shown.lastIndexOf('/');
  if (slash <= shown.indexOf('//') + 1) return { head: shown, tail: '' };
  const at = Math.max(slash, shown.length - longestTail);
  return { head: shown.slice(0, at), tail: shown.slice(at) };
}

const longestTail = 14;
