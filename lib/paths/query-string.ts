/** The query of a URL, without `?`. Null and undefined parameters are left out. */
export function toQueryString(
  params: Record<string, string | number | boolean | null | undefined>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  return search.toString();
}

/** The query of a request, for a call to the service, which refuses parameters it does not know. */
export function readQueryString({ url }: Pick<Request, 'url'>): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams);
}
