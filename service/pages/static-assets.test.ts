import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback, portOf } from '#lib/testing/loopback.ts';
import { isForAsset, serveAssets } from './static-assets.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';

const script = 'const words = ["token", "secret"];\n'.repeat(100);
const folder = useTemporaryFolder();
let server: Server;

beforeAll(async () => {
  writeFileSync(join(folder, 'page.js'), script);
  writeFileSync(join(folder, 'font.woff2'), 'font');
  writeFileSync(join(folder, 'page.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'page.js.gz'), gzipSync(script));
  const serve = serveAssets(folder);
  server = createServer((asked, response) => void serve(asked, response));
  await listenOnLoopback(server);
});
afterAll(() => void server.close());

test.each([
  ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
  ['gzip', 'gzip, deflate', gunzipSync],
  [undefined, 'identity', (body: Buffer) => body],
])('a script is sent as %s to a client that accepts %s', async (encoding, accepted, decompress) => {
  const response = await get('/_next/static/page.js', { 'accept-encoding': accepted });
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/javascript/),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(response.body.length),
  });
  expect(response.headers['content-encoding']).toBe(encoding);
  expect(decompress(response.body).toString()).toBe(script);
});

test('a font is already compressed and is sent unchanged', async () => {
  const response = await get('/_next/static/font.woff2', { 'accept-encoding': 'br' });
  expect(response.headers['content-encoding']).toBeUndefined();
  expect(response.body.toString()).toBe('font');
});

test.each([
  '/_next/static/none.js',
  '/_next/static/',
  '/_next/static/%2e%2e/package.json',
  '/_next/static/..%2fpackage.json',
  '/_next/static/../../package.json',
])('%s is not found, and the response is not cached', async (path) => {
  const response = await get(path, {});
  expect(response.status).toBe(404);
  expect(response.headers['cache-control']).toBe('no-store');
});

test('only files that are read below /_next/static/ are assets', () => {
  expect(isForAsset({ method: 'GET', url: '/_next/static/page.js' })).toBe(true);
  expect(isForAsset({ method: 'HEAD', url: '/_next/static/page.js' })).toBe(true);
  expect(isForAsset({ method: 'POST', url: '/_next/static/page.js' })).toBe(false);
  expect(isForAsset({ method: 'GET', url: '/sign-in' })).toBe(false);
});

/** Uses `node:http`, because fetch would decompress the body and resolve dots in the path. */
async function get(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }> {
  const asked = request({ port: portOf(server), host: '127.0.0.1', path, headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
