import { once } from 'node:events';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiListener, useApiListener, untilClosed } from '../../testing/http/api-listener.ts';
import { useApi } from '../../testing/use-api.ts';

/** A placeholder for a token in a request. */
const tokenPlace = '<token>';

/** Valid most of the time, so that several odd values do not always mask one another. */
function mostly(right: readonly string[], odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

const oddMethods = [
  'TRACE',
  'CONNECT',
  'OPTIONS',
  'get',
  'BREW',
  'PRI',
  'M-SEARCH',
  'SOURCE',
  '',
  ' ',
  'G\0T',
  'GET,POST',
  'X'.repeat(300),
  'é',
];
const rightTargets = [
  '/api/v1/webhooks',
  '/api/v1/conversations',
  '/api/v1/api-keys',
  '/api/v1/events',
  '/api/v1/webhooks/1/test',
  '/healthz',
  '/api/v1/nothing',
  '/',
];
const oddTargets = [
  '*',
  'api',
  '//',
  '//evil.example/api',
  '/api/../../etc/passwd',
  '/api/v1/%zz',
  '/api/%00',
  'http://localhost/api/v1/webhooks',
  'localhost:443',
  '/api/v1/web hooks',
  '/api/\u00ff\u0001',
  '/api#fragment',
  '/api?',
  '/api?%',
  `/api/${'a/'.repeat(7000)}`,
  `/api?${'x=1&'.repeat(5000)}`,
  '',
  '/api\\v1',
  '/api/v1/webhooks/%ff',
  '/api/v1/webhooks?limit=%',
];
const oddVersions = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', 'X', ''];
const oddHeaders = [
  'Host: localhost',
  'Host: a, b',
  'Host: [::1',
  'Host: \u00ff',
  'Host:',
  'Content-Length: 5',
  'Content-Length: 5, 5',
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Content-Length: 99999999999999999999',
  'Content-Length: 2000000',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: \x0bchunked',
  'Expect: 100-continue',
  'Expect: everything',
  'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c',
  'Connection: close',
  'Connection: keep-alive, \x01',
  ' folded: yes',
  ': nameless',
  'A name: x',
  'X-Odd: \x00',
  'X-Odd: \x7f\u00ff',
  'X-Odd',
  'X-Forwarded-For: 127.0.0.1',
  'X-Client-Address: 127.0.0.1',
  'Content-Type: application/json',
  'Content-Type: \u00e9',
  'Content-Encoding: gzip',
  'Authorization: Bearer',
  'Authorization: Bearer \u00ff\u00fe',
  `Authorization: Bearer ${'x'.repeat(10_000)}`,
  `X-Long: ${'x'.repeat(17_000)}`,
  Array.from({ length: 2500 }, (_, index) => `X${index}: y`).join('\r\n'),
];
const rightBodies = ['', '{}', '{"subject":"Where is it?"}'];
const oddBodies = [
  'hello',
  '{"name":',
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\nhello\r\n',
  'fffffffffffffffff\r\n',
  '5;x=y\r\nhello',
  '0\r\nX: y\r\n\r\n',
  '\0\u00ff'.repeat(50),
  '\r\n\r\n',
];
const anyMessage = fc
  .record({
    method: mostly(['GET', 'POST', 'PATCH', 'DELETE', 'HEAD', 'PUT'], oddMethods),
    target: mostly(rightTargets, oddTargets),
    version: mostly(['HTTP/1.1'], oddVersions),
    host: mostly(['Host: localhost'], ['X-No-Host: x']),
    key: mostly([`Authorization: Bearer ${tokenPlace}`], ['Authorization: Basic x', 'X-No-Key: x']),
    oddHeader: mostly([''], oddHeaders),
    another: mostly([''], oddHeaders),
    body: mostly(rightBodies, oddBodies),
    newline: mostly(['\r\n'], ['\n', '\r']),
  })
  .map(({ method, target, version, newline, ...rest }) => {
    const { host, key, oddHeader, another } = rest;
    const headers = [host, key, oddHeader, another].filter((header) => header !== '');
    if (rightBodies.includes(rest.body)) headers.push(`Content-Length: ${rest.body.length}`);
    return [`${method} ${target} ${version}`, ...headers, '', rest.body].join(newline);
  });
/** A text in which each character is a byte. */
const anyBytes = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'));

/**
 * What clients write to a connection: several requests that are almost HTTP, or bytes that are not
 * HTTP.
 */
const malformedMessages = fc.oneof(
  { weight: 8, arbitrary: fc.array(anyMessage, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(anyBytes) },
);

/** Every response on a connection; no body contains text that looks like a status line. */
function responsesIn(received: string): { status: number; body: string }[] {
  return received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((response) => response !== '')
    .map((response) => {
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? Number.NaN);
      return { status, body: response.slice(response.indexOf('\r\n\r\n') + 4) };
    });
}

const connections = 300;
const atOnce = 30;

const { ctx, api } = useApi({
  config: {
    rateLimitPerMinute: 1_000_000,
    creationsPerHour: 1_000_000,
    failedAuthPerMinute: 1_000_000,
  },
});
const listener = useApiListener(ctx, api);
let token: string;

beforeAll(async () => {
  token = (await (await api.account()).key()).token;
});

const connectionsAtOnce = fc.array(malformedMessages, { minLength: atOnce, maxLength: atOnce });

test(`${connections} connections of malformed HTTP end in time, without a 5xx response`, async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(connectionsAtOnce, async (batch) => {
      const received = await Promise.all(
        batch.map((messages) => listener.write(messages.join('').replaceAll(tokenPlace, token))),
      );
      for (const { status, body } of received.flatMap(responsesIn)) {
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(status).toBeLessThan(500);
        expect(body).not.toMatch(/\.ts:\d|node_modules|at async/);
      }
    }),
    { numRuns: connections / atOnce, seed: 20_261_121, endOnFailure: true },
  );
  for (const status of [200, 201, 400, 401, 404, 405, 422, 431]) {
    expect(seen.get(status) ?? 0, `responses with ${status}`).toBeGreaterThan(0);
  }
  expect(await listener.write(request('GET', '/healthz'))).toMatch(/^HTTP\/1\.1 200 /);
}, 120_000);

describe('a body that is sent half-way', () => {
  const half = () =>
    request('POST', '/api/v1/webhooks', [
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]) + '{"name":';

  test('gets a complete refusal or no response if the client then ends it', async () => {
    for (const { status } of responsesIn(await listener.write(half()))) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  });

  test('creates nothing and harms no other client if a hundred clients cut it off', async () => {
    for (let client = 0; client < 100; client += 1) {
      const socket = await listener.open();
      const closed = once(socket, 'close');
      socket.write(half());
      socket.resetAndDestroy();
      await closed;
    }
    const response = await api.call('GET', '/api/v1/webhooks', { token });
    expect(response.body).toEqual({ success: true, data: [] });
  });

  test('is disconnected at the time limit of a request if the client leaves it open', async () => {
    const impatient = new ApiListener();
    await impatient.serve(ctx, api, {
      headersTimeout: 200,
      requestTimeout: 200,
      connectionsCheckingInterval: 50,
    });
    for (const bytes of [half(), 'GET /api/v1/webhooks HTTP/1.1\r\nHost: local']) {
      const socket = await impatient.open();
      const received = untilClosed(socket);
      socket.write(bytes);
      expect(await received).toMatch(/^HTTP\/1\.1 408 /);
    }
    await impatient.close();
  });
});

test('a hundred requests in one piece get their responses one by one, in their order', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `pipelined-${index}`);
  const bytes = ids.map((id) =>
    request('GET', '/api/v1/webhooks', [`Authorization: Bearer ${token}`, `X-Request-Id: ${id}`]),
  );
  const received = await listener.write(bytes.join(''));
  const responses = responsesIn(received);
  expect(responses.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect([...received.matchAll(/^x-request-id: (.*)\r$/gim)].map(([, id]) => id)).toEqual(ids);
});

function request(method: string, path: string, headers: string[] = []): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
}
