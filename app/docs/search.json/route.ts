import { readSite, searchEntries } from '#lib/docs/site.ts';

/** What the search of the documentation finds. */
export async function GET(): Promise<Response> {
  const { pages } = await readSite();
  return Response.json(searchEntries(pages));
}
