import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi } from '../testing/api.ts';
import { createTestContext } from '../testing/context.ts';
import type { TestContext } from '../testing/context.ts';

let ctx: TestContext;
let api: TestApi;
let plain: string;

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  plain = await (await ask({})).text();
});
afterAll(() => ctx.dispose());

test.each<[accepted: string, encoding: string | null, read: (bytes: Buffer) => Buffer]>([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ['GZIP', 'gzip', gunzipSync],
  ['br;q=0.000, gzip;q=0', null, (bytes) => bytes],
  ['identity', null, (bytes) => bytes],
])('who accepts %s is sent the API’s description as %s', async (accepted, encoding, read) => {
  const answer = await ask({ 'Accept-Encoding': accepted });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get('Content-Encoding')).toBe(encoding);
  expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  expect(read(bytes).toString()).toBe(plain);
  if (encoding) expect(bytes.length).toBeLessThan(plain.length / 4);
});

test('who names the tag of the description gets 304, without the description', async () => {
  const tag = (await ask({})).headers.get('ETag') ?? '';
  for (const named of [tag, tag.slice(2), `"another", ${tag}`, '*']) {
    const answer = await ask({ 'If-None-Match': named, 'Accept-Encoding': 'br' });
    expect(answer.status, named).toBe(304);
    expect(answer.headers.get('ETag')).toBe(tag);
    expect(answer.headers.get('Cache-Control')).toBe('no-cache');
    expect(await answer.text()).toBe('');
  }
  expect((await ask({ 'If-None-Match': '"another"' })).status).toBe(200);
});

async function ask(headers: Record<string, string>): Promise<Response> {
  return await api.app.request('/api/v1/openapi.json', { headers });
}
