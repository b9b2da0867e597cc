import { readSite, searchEntries } from '#lib/docs/site.ts';

/** It cannot change while the service runs, and making it takes longer than rendering a page. */
let known: string | undefined;

/** What the search of the documentation finds. */
export async function GET(): Promise<Response> {
  known ??= JSON.stringify(searchEntries((await readSite()).pages));
  return new Response(known, { headers: { 'Content-Type': 'application/json' } });
}
