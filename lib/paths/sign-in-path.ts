/** The sign-in page, which leads back to where the person was. @param here path and query */
export function signInPath(here: string): string {
  const next = safeNext(here);
  return next === home ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Where to go after signing in. Only a path of our own: a link made by someone else must not lead a
 * person from the true sign-in page to a false page. Browsers read `//host`, `/\host` and a tab or
 * line feed between the slashes as another site, so the path is resolved the way they do it.
 */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith('/')) return home;
  // oxlint-disable-next-line browser-floor/supported -- only the server calls this
  const url = URL.parse(next, own);
  // Resolving keeps `/.//host` as the path `//host`, which would lead to another site when
  // followed.
  if (url?.origin !== own || url.pathname.startsWith('//')) return home;
  if (/^\/($|(sign-in|set-up|invitation|(a\/[^/]*|support)\/data)(\/|$))/.test(url.pathname))
    return home;
  return url.pathname + url.search;
}

/** Leads on to the session's account. */
const home = '/';
const own = 'http://own.invalid';
