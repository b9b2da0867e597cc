import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { errorTable } from '#lib/contract/error-codes.ts';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import { createMetrics } from '../../metrics.ts';
import { StartError } from '../../start-error.ts';
import { TestLog } from '../../testing/logger.ts';
import type { Config } from '../../config/load-config.ts';
import { createHealth } from './health.ts';
import { openListener } from './listener.ts';
import type { Listener } from './listener.ts';

const config = {
  host: '127.0.0.1',
  publicUrl: new URL('https://keys.example.com'),
  trustedProxies: [],
};
const metrics = createMetrics();
let log: TestLog;
let listener: Listener;
/** The behaviour of the database, the pages and the API, unless a test changes it. */
let ping: () => Promise<void>;
let probeWrite: () => Promise<void>;
let isDraining: boolean;

function healthOf(changes: Pick<Config, 'publicUrl'> & Partial<Pick<Config, 'metricsToken'>>) {
  return createHealth({
    ping: () => ping(),
    probeWrite: () => probeWrite(),
    isDraining: () => isDraining,
    metrics,
    metricsToken: null,
    ...changes,
  });
}

async function open(changes: Partial<Parameters<typeof openListener>[0]> = {}): Promise<Listener> {
  return await openListener({
    config,
    port: 0,
    log: log.logger,
    metrics,
    health: healthOf({ publicUrl: new URL('http://localhost:3000') }),
    api: async (request) =>
      Response.json({ path: new URL(request.url).pathname, headers: [...request.headers] }),
    preparePages: async () => async (request, response) => {
      response.setHeader('Cache-Control', 's-maxage=31536000');
      response.end(JSON.stringify({ path: request.url, headers: Object.entries(request.headers) }));
    },
    ...changes,
  });
}

beforeEach(async () => {
  log = new TestLog();
  ping = async () => undefined;
  probeWrite = async () => undefined;
  isDraining = false;
  listener = await open();
});
afterEach(async () => {
  vi.useRealTimers();
  await listener.drain(1000);
  log.assertNoUnexpectedErrors();
});

type TextResponse = { status: number; headers: IncomingMessage['headers']; text: string };

async function ask(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: OutgoingHttpHeaders } = {},
): Promise<TextResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest(
    {
      host: '127.0.0.1',
      port: listener.port,
      path,
      method,
      headers: { Host: 'localhost', ...headers },
    },
    resolve,
  )
    .on('error', reject)
    .end();
  const response = await promise;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: await text(response),
  };
}

/** The requests that arrived behind the listener. */
function arrived(response: TextResponse): { path: string; headers: Map<string, string> } {
  const { path, headers } = JSON.parse(response.text) as {
    path: string;
    headers: [string, string][];
  };
  return { path, headers: new Map(headers) };
}

async function write(bytes: string): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(bytes);
  return await text(socket);
}

describe('a request', () => {
  test.each(['/api', '/api/v1/webhooks', '/api/v1/webhooks?x=/sign-in'])(
    '%s goes to the API',
    async (path) => {
      const response = await ask(path);
      expect(response.headers['content-type']).toBe('application/json');
    },
  );

  test.each(['/', '/sign-in', '/apis', '/settings?next=/api/v1'])(
    '%s goes to the pages',
    async (path) => {
      expect(arrived(await ask(path)).path).toBe(path);
      expect((await ask(path)).headers['content-type']).toBeUndefined();
    },
  );

  test.each([
    ['/api/v1/webhooks', { api: null }],
    ['/', { preparePages: null }],
  ])('%s is 404 if the process does not run that half', async (path, changes) => {
    await listener.drain(1000);
    listener = await open(changes);
    expect((await ask(path)).status).toBe(404);
  });

  test('to the API is refused in the error envelope if the API fails or does not run', async () => {
    await listener.drain(1000);
    listener = await open({ api: () => Promise.reject(new Error('inside')) });
    log.expectErrors(/a request got no response/);
    expect((await ask('/api/v1/x')).status).toBe(500);
    expect((await ask('/api/v1/x')).text).toBe(
      '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Something went wrong."}}',
    );
    await listener.drain(1000);
    listener = await open({ api: null });
    const { text: body, headers } = await ask('/api/v1/x');
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('that fails unexpectedly is 500 without the cause, which is logged', async () => {
    await listener.drain(1000);
    listener = await open({ preparePages: async () => () => Promise.reject(new Error('inside')) });
    const response = await ask('/');
    expect(response).toMatchObject({
      status: 500,
      text: '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Something went wrong."}}',
    });
    const inBrowser = await ask('/', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(inBrowser).toMatchObject({ status: 500, text: 'Something went wrong.\n' });
    expect(log.entries).toContainEqual(
      expect.objectContaining({
        msg: 'a request got no response',
        request_id: response.headers['x-request-id'],
      }),
    );
    log.expectErrors(/a request got no response/);
  });
});

describe.each([
  ['the API', '/api/v1/x'],
  ['the pages', '/sign-in'],
])('before %s', (_, path) => {
  const forged = {
    'X-Forwarded-For': '192.0.2.1',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Port': '1',
    Forwarded: 'for=192.0.2.1',
    'X-Real-IP': '192.0.2.1',
    'X-Client-Address': ['192.0.2.1', '192.0.2.2'],
    'X-Middleware-Subrequest': 'proxy:proxy:proxy:proxy:proxy',
  };

  test('a client’s own forwarding headers are dropped', async () => {
    const { headers } = arrived(await ask(path, { headers: forged }));
    const values = [...headers.values()].join(' ');
    expect(values).not.toContain('192.0.2.');
    expect(values).not.toContain('evil');
    expect(values).not.toContain('proxy:');
    expect(headers.get('x-client-address')).toBe('127.0.0.1');
  });

  test('other headers are left as they are', async () => {
    const headers = {
      Accept: 'a/b',
      Cookie: 'a=1; b=2',
      Authorization: 'Bearer x',
      'X-Forwarded': 'y',
    };
    const seen = arrived(await ask(path, { headers })).headers;
    expect(seen.get('cookie')).toBe('a=1; b=2');
    expect(seen.get('authorization')).toBe('Bearer x');
    expect(seen.get('accept')).toBe('a/b');
  });

  test('a trusted proxy is believed', async () => {
    await listener.drain(1000);
    listener = await open({ config: { ...config, trustedProxies: ['127.0.0.0/8'] } });
    const headers = {
      Host: 'internal:3000',
      'X-Forwarded-For': '192.0.2.9, 203.0.113.7',
      'X-Forwarded-Host': 'keys.example.com',
    };
    const seen = arrived(await ask(path, { headers })).headers;
    expect(seen.get('x-client-address')).toBe('203.0.113.7');
  });
});

describe('the pages', () => {
  test('get the host of the browser’s request, and the scheme of PUBLIC_URL', async () => {
    const { headers } = arrived(await ask('/', { headers: { Host: 'KEYS.example.com:443' } }));
    expect(headers.get('host')).toBe('keys.example.com');
    expect(headers.get('x-forwarded-host')).toBe('keys.example.com');
    expect(headers.get('x-forwarded-proto')).toBe('https');
    expect(headers.get('x-forwarded-for')).toBe('127.0.0.1');
  });

  test('keep the address of a client whose action Next forwards, and let nobody else choose one', async () => {
    await listener.drain(1000);
    listener = await open({ config: { ...config, trustedProxies: ['127.0.0.0/8'] } });
    const address = 'x-client-address';
    const signature = 'x-client-address-signature';
    const first = arrived(await ask('/', { headers: { 'X-Forwarded-For': '203.0.113.7' } }));
    const signed = { [address]: '203.0.113.7', [signature]: first.headers.get(signature) };
    expect(arrived(await ask('/', { headers: signed })).headers.get(address)).toBe('203.0.113.7');
    for (const forged of [
      { [address]: '203.0.113.8' },
      { [signature]: 'A' },
      { [signature]: '' },
    ]) {
      const { headers } = arrived(await ask('/', { headers: { ...signed, ...forged } }));
      expect(headers.get(address)).toBe('127.0.0.1');
    }
    expect(arrived(await ask('/api', { headers: signed })).headers.has(signature)).toBe(false);
    const mark = 'x-action-forwarded';
    for (const [headers, isKept] of [
      [{ ...signed, [mark]: '1' }, true],
      [{ [mark]: '1' }, false],
    ] as const) {
      expect(arrived(await ask('/', { headers })).headers.has(mark)).toBe(isKept);
    }
  });

  test('get http as the scheme on loopback', async () => {
    const { headers } = arrived(await ask('/', { headers: { Host: '127.0.0.1:3000' } }));
    expect(headers.get('x-forwarded-host')).toBe('127.0.0.1:3000');
    expect(headers.get('x-forwarded-proto')).toBe('http');
  });

  test('are served at PUBLIC_URL and on loopback only', async () => {
    const response = await ask('/', { headers: { Host: 'rebound.example' } });
    expect(response.status).toBe(421);
    expect(response.text).toContain('https://keys.example.com');
  });

  const sameSite = 'Host: localhost\r\nSec-Fetch-Site: same-origin\r\n';

  test('get only complete bodies, of at most 64 KiB', async () => {
    await listener.drain(1000);
    const bodies: number[] = [];
    listener = await open({
      preparePages: async () => async (request, response) => {
        expect(request).toMatchObject({ method: 'POST', url: '/x?y', httpVersion: '1.1' });
        bodies.push((await text(request)).length);
        response.end('taken');
      },
    });
    const post = (length: string, body: string) =>
      write(`POST /x?y HTTP/1.1\r\n${sameSite}Connection: close\r\n${length}\r\n\r\n${body}`);
    const max = 'x'.repeat(65_536);
    expect(await post(`Content-Length: ${max.length}`, max)).toMatch(/^HTTP\/1.1 200 .*taken$/s);
    expect(await post('Content-Length: 65537', `${max}x`)).toMatch(/^HTTP\/1.1 413 /);
    const chunks = `8000\r\n${'x'.repeat(32_768)}\r\n`.repeat(3);
    expect(await post('Transfer-Encoding: chunked', `${chunks}0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
    expect(bodies).toEqual([max.length]);
  });

  test('get no actions with arguments that Next cannot decode', async () => {
    const headers = 'Next-Action: ab\r\nContent-Type: text/plain\r\nConnection: close\r\n';
    const call = (body: string) =>
      write(
        `POST / HTTP/1.1\r\n${sameSite}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    expect(await call('["a"]')).toMatch(/^HTTP\/1.1 200 /);
    expect(await call('["$1"]')).toMatch(
      /^HTTP\/1.1 422 .*\r\n\r\n\{"success":false,"error":\{"code":"VALIDATION_ERROR".*"body":\[/s,
    );
  });

  test('get no path that cannot be decoded', async () => {
    const path = '/settings/%E0%A4%A?x';
    const response = await ask(path);
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'BAD_REQUEST' } });
    const inBrowser = await ask(path, { headers: { Accept: 'text/html' } });
    expect(inBrowser).toMatchObject({ status: 400, text: expect.stringMatching(/^This URL /) });
    expect((await ask('/settings/a%20b?x=%zz')).status).toBe(200);
  });

  test('get no request whose client hangs up in the middle of its body', async () => {
    await listener.drain(1000);
    const asked: string[] = [];
    listener = await open({
      preparePages: async () => async (request, response) => {
        asked.push(String(request.url));
        response.end();
      },
    });
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`POST /half HTTP/1.1\r\n${sameSite}Content-Length: 9\r\n\r\nx`);
    await ask('/whole');
    socket.resetAndDestroy();
    await listener.drain(1000);
    expect(asked).toEqual(['/whole']);
  });

  test('accept changes from their own pages only', async () => {
    const cross = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await ask('/', { method: 'POST', headers: cross })).status).toBe(403);
    expect((await ask('/a/7/data/keys', { headers: cross })).status).toBe(403);
    const same = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await ask('/', { method: 'POST', headers: same })).status).toBe(200);
    expect((await ask('/a/7/data/keys', { headers: same })).status).toBe(200);
  });

  test('are kept out of every cache however their headers are written', async () => {
    await listener.drain(1000);
    listener = await open({
      preparePages: async () => async (_request, response) => {
        response.writeHead(200, { 'cache-control': 'public, max-age=60', 'X-Other': '1' }).end();
      },
    });
    const { headers } = await ask('/');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-other': '1' });
  });

  test('are kept out of every cache, their fingerprinted files are not', async () => {
    expect((await ask('/sign-in')).headers['cache-control']).toBe('no-store');
    expect((await ask('/', { headers: { Host: 'x' } })).headers['cache-control']).toBe('no-store');
    const file = await ask('/_next/static/chunks/a.js');
    expect(file.headers['cache-control']).toBe('s-maxage=31536000');
  });
});

describe('every response', () => {
  const paths = [
    '/api/v1/webhooks',
    '/healthz',
    '/',
    '/_next/static/chunks/a.js',
    '/a/7/data/keys',
  ];

  test.each(paths)(
    'to %s tells browsers to guess no type, send no referrer and not embed it',
    async (path) => {
      expect((await ask(path)).headers).toMatchObject(securityHeaders);
    },
  );

  test('has these headers also if it is a refusal', async () => {
    for (const headers of [
      (await ask('/', { headers: { Host: 'rebound.example' } })).headers,
      (await ask('/', { method: 'POST' })).headers,
      (await ask('/healthz', { method: 'POST' })).headers,
      (await ask('*', { method: 'OPTIONS' })).headers,
    ]) {
      expect(headers).toMatchObject(securityHeaders);
    }
    const noise = await write('hello\r\n\r\n');
    for (const [name, value] of Object.entries(securityHeaders)) {
      expect(noise.toLowerCase()).toContain(`\r\n${name}: ${value.toLowerCase()}\r\n`);
    }
  });

  test('tells browsers to use https, if PUBLIC_URL does', async () => {
    const header = 'strict-transport-security';
    for (const path of paths) {
      expect((await ask(path)).headers[header]).toBe('max-age=31536000; includeSubDomains');
    }
    expect((await write('hello\r\n\r\n')).toLowerCase()).toContain(`\r\n${header}: max-age`);
    await listener.drain(1000);
    listener = await open({ config: { ...config, publicUrl: new URL('http://localhost:3000') } });
    for (const path of paths) expect((await ask(path)).headers[header]).toBeUndefined();
    expect((await write('hello\r\n\r\n')).toLowerCase()).not.toContain(header);
  });
});

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
};

describe('health', () => {
  test('is up while the process runs', async () => {
    ping = () => Promise.reject(new Error('down'));
    expect(await ask('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });

  test('is ready while the database responds and the process is not stopping', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    expect((await ask('/readyz')).status).toBe(200);
    ping = () => Promise.reject(new Error('secret detail'));
    vi.advanceTimersByTime(500);
    const down = await ask('/readyz');
    expect(down).toMatchObject({ status: 503, text: '{"status":"database does not respond"}' });
    ping = async () => undefined;
    isDraining = true;
    expect(await ask('/readyz')).toMatchObject({ status: 503, text: '{"status":"stopping"}' });
  });

  test('is not ready while the database accepts no writes, which is probed from time to time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let asked = 0;
    let fails = true;
    probeWrite = async () => {
      asked += 1;
      if (fails) throw new Error('secret detail');
    };
    const askTwice = async () => [(await ask('/readyz')).status, (await ask('/readyz')).text];
    expect(await askTwice()).toEqual([503, '{"status":"database does not accept writes"}']);
    fails = false;
    vi.advanceTimersByTime(999);
    expect(await askTwice()).toEqual([503, '{"status":"database does not accept writes"}']);
    expect(asked).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await askTwice()).toEqual([200, '{"status":"ok"}']);
    fails = true;
    vi.advanceTimersByTime(4999);
    expect(await askTwice()).toEqual([200, '{"status":"ok"}']);
    expect(asked).toBe(2);
    vi.advanceTimersByTime(1);
    expect((await ask('/readyz')).status).toBe(503);
    expect((await ask('/healthz')).status).toBe(200);
  });

  test.each(['pings', 'writes'])(
    'is asked of a database that hangs once, however many want to know: %s',
    async (what) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const asked = vi.fn(() => new Promise<void>(() => undefined));
      if (what === 'pings') ping = asked;
      else probeWrite = asked;
      for (const count of [200, 1]) {
        const responses = Array.from({ length: count }, () => ask('/readyz'));
        await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThanOrEqual(count), 20_000);
        await vi.runAllTimersAsync();
        for (const { status } of await Promise.all(responses)) expect(status).toBe(503);
      }
      expect(asked).toHaveBeenCalledTimes(1);
    },
  );

  test('accepts GET and HEAD only', async () => {
    expect((await ask('/healthz', { method: 'POST' })).status).toBe(405);
    expect((await ask('/healthz', { method: 'HEAD' })).text).toBe('');
  });

  test('shows metrics to this machine', async () => {
    const response = await ask('/metrics');
    expect(response.status).toBe(200);
    expect(response.text).toContain('process_cpu_user_seconds_total');
    expect(response.text).toMatch(
      /http_request_duration_seconds_count\{surface="pages",status="2xx"\} \d+/,
    );
  });

  test('counts a request whose client hung up before the response as an error, not as a success', async () => {
    await listener.drain(1000);
    const own = createMetrics();
    const { promise: hasArrived, resolve } = Promise.withResolvers<void>();
    listener = await open({
      metrics: own,
      api: () => {
        resolve();
        return new Promise(() => undefined);
      },
    });
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await hasArrived;
    socket.destroy();
    const count = 'http_request_duration_seconds_count{surface="api",status=';
    await expect.poll(() => own.text()).toContain(count);
    expect(await own.text()).toContain(`${count}"4xx"} 1\n`);
  });

  test.each([
    ['a proxy on this machine', { 'X-Forwarded-For': '203.0.113.7' }],
    ['a proxy that says so otherwise', { Forwarded: 'for=203.0.113.7' }],
    ['a proxy that says nothing', { Host: 'keys.example.com' }],
  ])('hides metrics from clients of %s', async (_, headers) => {
    expect((await ask('/metrics', { headers })).status).toBe(404);
  });

  test('hides metrics without a token from every client, if PUBLIC_URL says that there is a proxy', async () => {
    await listener.drain(1000);
    listener = await open({ health: healthOf({ publicUrl: new URL('https://keys.example.com') }) });
    // As nginx forwards a request by default.
    expect((await ask('/metrics', { headers: { Host: '127.0.0.1:3000' } })).status).toBe(404);
  });

  test('shows metrics to whoever has the token, if there is one', async () => {
    await listener.drain(1000);
    const metricsToken = 'a-metrics-token-of-some-length';
    const health = healthOf({ publicUrl: config.publicUrl, metricsToken });
    listener = await open({ health });
    expect((await ask('/metrics')).status).toBe(404);
    const headers = { Authorization: `Bearer ${metricsToken}`, Host: 'keys.example.com' };
    expect((await ask('/metrics', { headers })).status).toBe(200);
  });
});

describe('what is not a valid request', () => {
  const post = 'POST /api HTTP/1.1\r\nHost: localhost\r\n';
  const last = 'Host: localhost\r\nConnection: close\r\n';

  test.each([
    ['noise', 'hello\r\n\r\n', 'BAD_REQUEST'],
    ['a missing Host', 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n', 'BAD_REQUEST'],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 'BAD_REQUEST'],
    [
      'length and chunks',
      `${post}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'BAD_REQUEST',
    ],
    ['a name with a space', `GET / HTTP/1.1\r\n${last}A b: c\r\n\r\n`, 'BAD_REQUEST'],
    ['too many headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 'HEADERS_TOO_LARGE'],
    ['a path that is too long', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\n\r\n`, 'HEADERS_TOO_LARGE'],
    ['a whole URL', `GET http://localhost/api HTTP/1.1\r\n${last}\r\n`, 'BAD_REQUEST'],
    ['no path', `OPTIONS * HTTP/1.1\r\n${last}\r\n`, 'BAD_REQUEST'],
  ])('%s is refused in the error envelope, with a request id', async (_, bytes, code) => {
    expect(await write(bytes)).toMatch(refusal(code as ErrorCode));
  });

  test('a request that takes too long to arrive is refused in the error envelope', async () => {
    await listener.drain(1000);
    const patience = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 };
    listener = await open({ patience });
    expect(await write('GET /api HTTP/1.1\r\nHost: local')).toMatch(refusal('REQUEST_TIMEOUT'));
  });

  test.each([
    [
      'a host that is none',
      'GET /api/v1/webhooks HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    ],
    ['no host, in HTTP/1.0', 'GET /api/v1/webhooks HTTP/1.0\r\n\r\n'],
    [
      'a wish to connect elsewhere',
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    ],
  ])('%s is refused in the error envelope', async (_, bytes) => {
    expect(await write(bytes)).toMatch(refusal('BAD_REQUEST'));
  });

  test('invalid bytes after a request are refused once the request has its response', async () => {
    const bytes = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nnoise\r\n\r\n`;
    expect(await write(bytes)).toMatch(
      /^HTTP\/1.1 200 .*\{"status":"ok"\}\r\n0\r\n\r\nHTTP\/1.1 400 .*"BAD_REQUEST"[^\r]*$/s,
    );
  });

  test('noise in a body that is already refused does not change the response', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(`${post}Transfer-Encoding: chunked\r\n\r\n`);
    await once(socket, 'data');
    socket.write('noise\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1.1 /g)).toHaveLength(1);
  });

  test('an unknown Expect header is ignored', async () => {
    const bytes = `GET /healthz HTTP/1.1\r\n${last}Expect: everything\r\n\r\n`;
    expect(await write(bytes)).toMatch(/^HTTP\/1.1 200 /);
  });

  /** The complete response of Node or the listener, with all required headers. */
  function refusal(code: ErrorCode): RegExp {
    const { status, message } = errorTable[code];
    const body = JSON.stringify({ success: false, error: { code, message } });
    const headers = ['content-type: application/json', 'cache-control: no-store']
      .concat(`content-length: ${Buffer.byteLength(body)}`, 'x-request-id: [0-9a-f-]{36}')
      .map((header) => `(?=.*\\r\\n${header}\\r\\n)`);
    const end = RegExp.escape(`\r\n\r\n${body}`);
    return new RegExp(`^HTTP/1\\.1 ${status} ${headers.join('')}.*${end}$`, 'is');
  }

  test('a client that hangs up during a request does no harm', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx');
    socket.destroy();
    expect((await ask('/healthz')).status).toBe(200);
  });
});

describe('requests that a client sends without waiting for responses', () => {
  const pipelined = [
    'POST /api/first HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n',
    'DELETE /api/second HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  ].join('');
  let steps: string[];
  let release: () => void;
  let begun: Promise<void>;

  beforeEach(async () => {
    await listener.drain(1000);
    steps = [];
    const gate = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    release = gate.resolve;
    begun = first.promise;
    listener = await open({
      api: async ({ method }) => {
        steps.push(`${method} begins`);
        first.resolve();
        await gate.promise;
        steps.push(`${method} ends`);
        return new Response(null, { status: 204 });
      },
    });
  });

  test('are carried out one after another', async () => {
    const received = write(pipelined);
    await begun;
    release();
    const statuses = (await received).match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual(['204', '204', '200']);
    expect(steps).toEqual(['POST begins', 'POST ends', 'DELETE begins', 'DELETE ends']);
  });

  test('are not carried out after a response that ends the connection', async () => {
    const received = write(pipelined);
    await begun;
    const drained = listener.drain(10_000);
    release();
    expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 204']);
    await drained;
    expect(steps).toEqual(['POST begins', 'POST ends']);
  });

  test('are not carried out if the client has disconnected', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(pipelined);
    await begun;
    socket.resetAndDestroy();
    await ask('/healthz');
    release();
    await listener.drain(10_000);
    expect(steps).toEqual(['POST begins', 'POST ends']);
  });

  test('are 200 at most: a client that sends more is disconnected, and none of them begins', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    const received = text(socket);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.write('POST /api/first HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    await begun;
    socket.write('DELETE /api/second HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(201));
    await closed;
    expect(await received.catch(() => '')).toBe('');
    release();
    await listener.drain(10_000);
    expect(steps).toEqual(['POST begins', 'POST ends']);
  });
});

describe('stopping', () => {
  test('completes open responses, and accepts no new connection', async () => {
    await listener.drain(1000);
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    listener = await open({
      api: async () => {
        begin();
        await gate;
        return new Response('done');
      },
    });
    const response = ask('/api/slow');
    await begun;
    const drained = listener.drain(5000);
    await expect(ask('/api/late')).rejects.toThrow('ECONNREFUSED');
    release();
    expect(await response).toMatchObject({ status: 200, text: 'done' });
    await drained;
  });

  test('cuts off responses that do not end', async () => {
    await listener.drain(1000);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    listener = await open({
      api: () => {
        begin();
        return new Promise<Response>(() => undefined);
      },
    });
    const response = ask('/api/endless').catch((error: Error) => error.message);
    await begun;
    await listener.drain(50);
    expect(await response).toBe('socket hang up');
  });
});

test('a port in use stops the start and says so', async () => {
  const opening = open({ port: listener.port });
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(`Port ${listener.port} on 127.0.0.1 is in use.`);
});
