import { type NavigationLink, readSite } from '#lib/docs/site.ts';
import { publicUrl } from '#lib/paths/public-url.ts';

/** Lists the pages of the documentation as Markdown, for language models: https://llmstxt.org. */
export async function GET(): Promise<Response> {
  const { navigation } = await readSite();
  const base = publicUrl();
  const list = (links: readonly NavigationLink[], indent = ''): string =>
    links
      .map(
        ({ href, title, links: below = [] }) =>
          `${indent}- [${title}](${base}${href}.md)\n${list(below, `${indent}  `)}`,
      )
      .join('');
  const text = [
    '# Conversation Service',
    '> API keys, webhooks and conversations of a customer-messaging service.',
    `The API is described as OpenAPI at ${base}/api/v1/openapi.json.`,
    ...navigation.map(({ label, links }) => `## ${label}\n\n${list(links).trimEnd()}`),
  ].join('\n\n');
  return new Response(`${text}\n`, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
