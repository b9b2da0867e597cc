/**
 * Whether a browser sent this request from one of our own pages. Cookies alone don't say so: a
 * page on another port of the same host counts as the same site.
 */
export function isSameOrigin(headers: Pick<Headers, 'get'>): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  // Plain http outside loopback sends no fetch metadata.
  const origin = headers.get('origin');
  return origin !== null && URL.parse(origin)?.host === headers.get('host');
}
