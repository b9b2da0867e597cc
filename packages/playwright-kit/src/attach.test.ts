import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { attach } from './attach.ts';
import { version } from './version.ts';

test('a service that cannot be tested is named in one sentence, before any test begins', async () => {
  await expect(attachTo('messaging')).rejects.toThrow('"messaging" is not the URL of a service.');
  await expect(attachTo('http://127.0.0.1:1')).rejects.toThrow(
    /^No service responds at http:\/\/127\.0\.0\.1:1: .*\.$/,
  );
  await expect(attachTo(await serve({ version: '9.9.9', status: 404 }))).rejects.toThrow(
    `has version 9.9.9, but this kit is for version ${version}.`,
  );
  await expect(attachTo(await serve({ version, status: 401 }))).rejects.toThrow(
    'it is wrong, expired or removed, so make another',
  );
  expect(await attachTo(await serve({ version, status: 404 }))).toHaveProperty('addAccount');
  await expect(attach({ url: 'http://127.0.0.1:1', provisionerToken: 'a\ntoken' })).rejects.toThrow(
    'The provisioner token contains a line break or another character that no token has.',
  );
});

async function attachTo(url: string): Promise<object> {
  return await attach({ url, provisionerToken: 'a token' });
}

/** A service with this version, which responds with this status to calls of provisioners. */
async function serve(given: { version: string; status: number }): Promise<string> {
  const server = createServer(({ url }, response) => {
    if (url !== '/api/v1/openapi.json') response.writeHead(given.status);
    response.end(JSON.stringify({ info: { version: given.version } }));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
