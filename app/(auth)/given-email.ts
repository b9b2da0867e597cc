export type SearchParams = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The email address that an address of these pages gives, as it was typed before; else nothing. */
export async function readGivenEmail(searchParams: SearchParams['searchParams']): Promise<string> {
  const { email } = await searchParams;
  return typeof email === 'string' ? email.slice(0, 254) : '';
}
