/**
 * Shortens the tokens in a search to `…` and their last four characters, and the signing secrets to
 * their prefix: the search is part of the URL, which browsers and proxies store. Text that was
 * copied along with them is removed.
 */
export function hideSecrets(search: string): string {
  const found = search.match(secrets);
  return found === null ? search : found.map(hide).join(' ');
}

/**
 * With a token's prefix, or after the `…` of a masked token, any five characters may be a part of a
 * token, because someone may type it. Without either, 38 characters that stand alone are a token.
 */
const secrets =
  /whsec_…?[\w+/=-]+|(?:sk_live_…?|…)[0-9A-Za-z]{5,}|(?<![\w/.+-])[0-9A-Za-z]{38}(?![\w/.+-])/g;

/** The one whole token in a search, also without its prefix; null if there is none or several. */
export function wholeTokenIn(search: string): string | null {
  const [body, ...more] = [...search.matchAll(wholeTokens)].map(([, found]) => found);
  return body === undefined || more.length > 0 ? null : `sk_live_${body}`;
}

const wholeTokens = /(?:sk_live_|(?<![\w/.+-]))([0-9A-Za-z]{38})(?![\w/.+-])/g;

function hide(secret: string): string {
  return secret.startsWith('whsec_') ? 'whsec_…' : `…${secret.slice(-4)}`;
}
