import { once } from 'node:events';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { responsesIn, malformedMessages, tokenPlace } from '../../testing/http/malformed-http.ts';
import { ApiListener, useApiListener, untilClosed } from '../../testing/http/api-listener.ts';
import { useApi } from '../../testing/use-api.ts';

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
