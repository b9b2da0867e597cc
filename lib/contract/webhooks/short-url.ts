/** The scheme and host of a webhook's URL; the rest, `/…`, can be as good as a password. */
export function shortUrl(url: string): string {
  const { origin, href } = new URL(url);
  return href === `${origin}/` ? href : `${origin}${rest}`;
}

/** Whether a URL is only the scheme and host of a longer one. */
export function isShortUrl(url: string): boolean {
  return url.endsWith(rest);
}

/** No whole URL ends like this: the character is stored as `%E2%80%A6`. */
const rest = '/…';
