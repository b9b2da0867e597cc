import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useApi } from '../testing/use-api.ts';

const { api, account, caller } = useApi();

describe.each<[what: string, path: string, cacheControl: string]>([
  ['the API’s description', '/api/v1/openapi.json', 'no-cache'],
  ['the catalog of event types', '/api/v1/event-types', 'private, no-cache'],
])('%s', (_what, path, cacheControl) => {
  test.each<[accepted: string, encoding: string | null, read: (bytes: Buffer) => Buffer]>([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
    ['br;q=0.000, gzip;q=0', null, (bytes) => bytes],
    ['identity', null, (bytes) => bytes],
  ])('is sent to a client that accepts %s as %s', async (accepted, encoding, read) => {
    const plain = await (await ask(path)).text();
    const response = await ask(path, { 'Accept-Encoding': accepted });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('Content-Encoding')).toBe(encoding);
    expect(response.headers.get('Vary')).toBe('Accept-Encoding');
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(read(bytes).toString()).toBe(plain);
    if (encoding) expect(bytes.length).toBeLessThan(plain.length / 4);
  });

  test('gets a 304 if the client sends its tag', async () => {
    const tag = (await ask(path)).headers.get('ETag') ?? '';
    for (const named of [tag, tag.slice(2), `"another", ${tag}`, '*']) {
      const response = await ask(path, { 'If-None-Match': named, 'Accept-Encoding': 'br' });
      expect(response.status, named).toBe(304);
      expect(response.headers.get('ETag')).toBe(tag);
      expect(response.headers.get('Cache-Control')).toBe(cacheControl);
      expect(await response.text()).toBe('');
    }
    expect((await ask(path, { 'If-None-Match': '"another"' })).status).toBe(200);
  });
});

test('a caller that may not read the catalog is refused, even with its tag', async () => {
  const bot = await account.key({ type: 'bot' });
  const path = '/api/v1/event-types';
  const headers = { 'If-None-Match': '*' };
  expect((await api.call('GET', path, { headers })).status).toBe(401);
  expect((await bot.get(path, headers)).status).toBe(403);
});

async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await api.app.request(path, {
    headers: { Authorization: `Bearer ${caller.token}`, ...headers },
  });
}
