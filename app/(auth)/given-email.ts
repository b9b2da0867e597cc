export type SearchParams = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/**
 * The email address in the URL's query, as the person typed it on the previous page; empty if there
 * is none.
 */
export async function readGivenEmail(searchParams: SearchParams['searchParams']): Promise<string> {
  const { email } = await searchParams;
  return typeof email === 'string' ? email.slice(0, 254) : '';
}
