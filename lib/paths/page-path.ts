/** Path and query of the requested page; `proxy.ts` writes them into a header. */
export function pagePath(headers: Pick<Headers, 'get'>): string {
  return headers.get('x-page-path') ?? '';
}
