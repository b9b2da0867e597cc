import { chapterPathOf } from '#lib/paths/docs-path.ts';

/** Leads to the chapter about a page of the dashboard, which is in the query. */
export function GET(request: Request): Response {
  const page = new URL(request.url).searchParams.get('page') ?? '';
  return new Response(null, { status: 307, headers: { Location: chapterPathOf(page) } });
}
