import { readSite } from '#lib/docs/site.ts';

type TextContext = { params: Promise<{ path: string[] }> };

/** A page of the documentation as Markdown. `proxy.ts` sends here what is asked for with `.md`. */
export async function GET(_request: Request, { params }: TextContext): Promise<Response> {
  const address = ['/docs', ...(await params).path].join('/').replace(/\/index$/, '');
  const page = (await readSite()).pages.find(({ path }) => path === address);
  if (!page) return new Response('Not Found\n', { status: 404 });
  return new Response(page.markdown, {
    headers: { 'Content-Type': 'text/markdown; charset=utf-8' },
  });
}
