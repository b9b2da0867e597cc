import type { IncomingMessage } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { PageHandler } from './next-pages.ts';

const path = '/_next/static/';

/** Whether the request is for a script, a style or a font of the dashboard. */
export function isForAsset({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return (method === 'GET' || method === 'HEAD') && url?.startsWith(path) === true;
}

/**
 * Serves the dashboard's scripts, styles and fonts from a folder. If the browser accepts it, it
 * gets the compressed form that is stored beside the file (`scripts/dashboard/compress-assets.ts`);
 * Next would compress a file for every request. Names change with the content, so browsers cache
 * the files for a year.
 */
export function serveAssets(folder: string): PageHandler {
  const app = new Hono();
  app.use(
    `${path}*`,
    serveStatic({
      root: folder,
      rewriteRequestPath: (asked) => asked.slice(path.length),
      precompressed: true,
      onFound: (_file, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  );
  app.notFound((c) => c.text('Not Found\n', 404, { 'Cache-Control': 'no-store' }));
  return getRequestListener(app.fetch);
}
