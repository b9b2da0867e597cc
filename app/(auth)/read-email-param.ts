import type { SearchParams } from '#lib/paths/search-params.ts';

/** The email address that the person typed on the previous page; empty if the URL has none. */
export function readEmailParam({ email }: SearchParams): string {
  return typeof email === 'string' ? email.slice(0, 254) : '';
}
