import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { inRequest } from '../testing/fake-next-headers.ts';
import { listenOnLoopback, portOf } from '../testing/loopback.ts';
import { apiError } from './api-error.ts';
import { serveRead, serveStream } from './serve-read.ts';

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };

function requestWith(headers: Record<string, string>): Request {
  return new Request('http://localhost:3000/a/x/data/audit-log/export', { headers });
}

test('a stream is passed on only to our own pages', async () => {
  const refuse = () => Promise.reject(new Error('nothing is opened'));
  const response = await serveStream(requestWith({ 'Sec-Fetch-Site': 'same-site' }), refuse);
  expect(response.status).toBe(403);
});

test('a stream is passed on as it comes, and ends where its reader ends it', async () => {
  let made = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        made += 1;
        controller.enqueue(Buffer.from(`line ${made}\n`));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    'Content-Type': 'text/csv',
    'X-Total-Count': '1000000',
    'Set-Cookie': 'not=passed',
  };
  const response = await serveStream(requestWith(ownPage), () =>
    Promise.resolve(new Response(body, { headers })),
  );
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'text/csv',
    'x-total-count': '1000000',
  });
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('line 1\n');
  expect(made).toBe(1);
  await reader?.cancel();
  expect(isCancelled).toBe(true);
});

test('a HEAD request cancels the stream', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const body = new ReadableStream({ cancel: () => cancel() });
  const request = new Request('http://localhost:3000/', { method: 'HEAD', headers: ownPage });
  const response = await serveStream(request, () => Promise.resolve(new Response(body)));
  expect(response.body).toBeNull();
  await cancelled;
});

test('an error response of the service is passed on as it is', async () => {
  const refusal = apiError('RATE_LIMIT_EXCEEDED', { retryAfter: 60 });
  const response = await serveStream(requestWith(ownPage), () => Promise.reject(refusal));
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ success: false, error: { retry_after: 60 } });
});

describe('a read', () => {
  /** The calls that the service got. */
  let asked: string[];
  const service = createServer((call, response) => {
    asked.push(`${call.method} ${call.url}`);
    response.end(JSON.stringify({ success: true, data: [], next_cursor: null }));
  });

  beforeAll(async () => await listenOnLoopback(service));
  afterAll(() => service.close().closeAllConnections());
  beforeEach(() => {
    asked = [];
    vi.stubEnv('API_BASE_URL', `http://127.0.0.1:${portOf(service)}`);
    vi.stubEnv('DASHBOARD_CREDENTIAL', 'the-credential');
  });

  async function read(
    path: string,
    headers: Record<string, string> = ownPage,
    cookies = new Map([['session', 'a-session']]),
  ): Promise<Response> {
    const url = `http://localhost:3000${path}`;
    const [, name = ''] = /\/data\/([^?]*)/.exec(path) ?? [];
    const request = { headers: new Headers({ 'x-page-path': path }), cookies };
    return await inRequest(request, () => serveRead(new Request(url, { headers }), name));
  }

  test('gets what the route responds with, for the input in the address, and is never cached', async () => {
    const response = await read('/a/x/data/listDeliveries?params.webhook=7&query.limit=20');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(await response.json()).toEqual({ success: true, data: [], next_cursor: null });
    expect(asked).toEqual(['GET /api/v1/webhooks/7/deliveries?limit=20']);
  });

  test('at the support desk is of a person, not of the account with which their session opens', async () => {
    expect((await read('/support/data/listDeskRequests')).status).toBe(200);
    expect((await read('/support/data/listMembers')).status).toBe(404);
    expect(asked).toEqual(['GET /api/dashboard/support-desk/rotation-requests']);
  });

  test.each([
    ['from another site', 403, 'listMembers', { 'Sec-Fetch-Site': 'same-site' }],
    ['of a mutation', 404, 'updateApiKey?params.apiKey=7', ownPage],
    ['of a route that responds with a token', 404, 'rotateApiKey?params.apiKey=7', ownPage],
    ['of a route that is not for the dashboard', 404, 'listConversations', ownPage],
    ['before signing in', 404, 'getSetUp', ownPage],
    ['of an inherited name', 404, 'constructor', ownPage],
    ['of an inherited name', 404, '__proto__', ownPage],
    ['of a path that leads elsewhere', 422, 'getApiKey?params.apiKey=..', ownPage],
    ['without its parameter', 422, 'getApiKey', ownPage],
    ['with an unknown parameter', 422, 'getApiKey?params.apiKey=7&params.webhook=7', ownPage],
    ['with an inherited parameter', 422, 'getApiKey?params.apiKey=7&params.__proto__=7', ownPage],
    ['with a parameter of no part', 422, 'getApiKey?apiKey=7', ownPage],
    ['with a body', 422, 'getApiKey?params.apiKey=7&body.name=x', ownPage],
    ['with a wrong query', 422, 'listDeliveries?params.webhook=7&query.limit=no', ownPage],
  ])('%s is refused with %i: %s', async (_what, status, path, headers) => {
    const response = await read(`/a/x/data/${path}`, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(asked).toEqual([]);
  });

  test('without a session gets 401', async () => {
    expect((await read('/a/x/data/listMembers', ownPage, new Map())).status).toBe(401);
    expect(asked).toEqual([]);
  });
});
