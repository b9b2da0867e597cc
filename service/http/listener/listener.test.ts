import { describe, expect, test } from 'vitest';
import { StartError } from '../../start-error.ts';
import {
  TestListener,
  useListener,
  arrived,
  listenerConfig,
} from '../../testing/http/test-listener.ts';

const listener = useListener();

describe('a request', () => {
  test.each(['/api', '/api/v1/webhooks', '/api/v1/webhooks?x=/sign-in'])(
    '%s goes to the API',
    async (path) => {
      const response = await listener.ask(path);
      expect(response.headers['content-type']).toBe('application/json');
    },
  );

  test.each(['/', '/sign-in', '/apis', '/settings?next=/api/v1'])(
    '%s goes to the pages',
    async (path) => {
      expect(arrived(await listener.ask(path)).path).toBe(path);
      expect((await listener.ask(path)).headers['content-type']).toBeUndefined();
    },
  );

  test.each([
    ['/api/v1/webhooks', { api: null }],
    ['/', { preparePages: null }],
  ])('%s is 404 if the process does not run that half', async (path, changes) => {
    await listener.reopen(changes);
    expect((await listener.ask(path)).status).toBe(404);
  });

  test('to the API is refused in the error envelope if the API fails or does not run', async () => {
    await listener.reopen({ api: () => Promise.reject(new Error('inside')) });
    listener.log.expectErrors(/a request got no response/);
    expect((await listener.ask('/api/v1/x')).status).toBe(500);
    expect((await listener.ask('/api/v1/x')).text).toBe(
      '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Something went wrong."}}',
    );
    await listener.reopen({ api: null });
    const { text: body, headers } = await listener.ask('/api/v1/x');
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('that fails unexpectedly is 500 without the cause, which is logged', async () => {
    await listener.reopen({ preparePages: async () => () => Promise.reject(new Error('inside')) });
    const response = await listener.ask('/');
    expect(response).toMatchObject({
      status: 500,
      text: '{"success":false,"error":{"code":"INTERNAL_ERROR","message":"Something went wrong."}}',
    });
    const inBrowser = await listener.ask('/', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(inBrowser).toMatchObject({ status: 500, text: 'Something went wrong.\n' });
    expect(listener.log.entries).toContainEqual(
      expect.objectContaining({
        msg: 'a request got no response',
        request_id: response.headers['x-request-id'],
      }),
    );
    listener.log.expectErrors(/a request got no response/);
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
    const { headers } = arrived(
      await listener.ask(path, { headers: { ...forged, Host: 'keys.example.com' } }),
    );
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
    const seen = arrived(await listener.ask(path, { headers })).headers;
    expect(seen.get('cookie')).toBe('a=1; b=2');
    expect(seen.get('authorization')).toBe('Bearer x');
    expect(seen.get('accept')).toBe('a/b');
  });

  test('a trusted proxy is believed', async () => {
    await listener.reopen({ config: { ...listenerConfig, trustedProxies: ['127.0.0.0/8'] } });
    const headers = {
      Host: 'internal:3000',
      'X-Forwarded-For': '192.0.2.9, 203.0.113.7',
      'X-Forwarded-Host': 'keys.example.com',
    };
    const seen = arrived(await listener.ask(path, { headers })).headers;
    expect(seen.get('x-client-address')).toBe('203.0.113.7');
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
      expect((await listener.ask(path)).headers).toMatchObject(securityHeaders);
    },
  );

  test('has these headers also if it is a refusal', async () => {
    for (const headers of [
      (await listener.ask('/', { headers: { Host: 'rebound.example' } })).headers,
      (await listener.ask('/', { method: 'POST' })).headers,
      (await listener.ask('/healthz', { method: 'POST' })).headers,
      (await listener.ask('*', { method: 'OPTIONS' })).headers,
    ]) {
      expect(headers).toMatchObject(securityHeaders);
    }
    const noise = await listener.write('hello\r\n\r\n');
    for (const [name, value] of Object.entries(securityHeaders)) {
      expect(noise.toLowerCase()).toContain(`\r\n${name}: ${value.toLowerCase()}\r\n`);
    }
  });

  test('tells browsers to use https, if PUBLIC_URL does', async () => {
    const header = 'strict-transport-security';
    for (const path of paths) {
      expect((await listener.ask(path)).headers[header]).toBe(
        'max-age=31536000; includeSubDomains',
      );
    }
    expect((await listener.write('hello\r\n\r\n')).toLowerCase()).toContain(
      `\r\n${header}: max-age`,
    );
    await listener.reopen({
      config: { ...listenerConfig, publicUrl: new URL('http://localhost:3000') },
    });
    for (const path of paths) expect((await listener.ask(path)).headers[header]).toBeUndefined();
    expect((await listener.write('hello\r\n\r\n')).toLowerCase()).not.toContain(header);
  });
});

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
};

describe('a connection', () => {
  test('stays open between two requests for longer than load balancers keep it', async () => {
    const response = await listener.ask('/healthz', { headers: { Connection: 'keep-alive' } });
    expect(response.headers['keep-alive']).toBe('timeout=620');
  });

  test('stays open between two requests for as long as is set, no matter what a silent response may take', async () => {
    await listener.reopen({
      config: { ...listenerConfig, keepAliveSeconds: 1 },
      patience: { inactivityTimeout: 100 },
    });
    const began = performance.now();
    const answer = await listener.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*Keep-Alive: timeout=1\r\n/s);
    expect(performance.now() - began).toBeGreaterThan(900);
  });
});

describe('stopping', () => {
  test('completes open responses, and accepts no new connection', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await listener.reopen({
      api: async () => {
        begin();
        await gate;
        return new Response('done');
      },
    });
    const response = listener.ask('/api/slow');
    await begun;
    const drained = listener.drain(5000);
    await expect(listener.ask('/api/late')).rejects.toThrow('ECONNREFUSED');
    release();
    expect(await response).toMatchObject({ status: 200, text: 'done' });
    await drained;
  });

  test('cuts off responses that do not end', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await listener.reopen({
      api: () => {
        begin();
        return new Promise<Response>(() => undefined);
      },
    });
    const response = listener.ask('/api/endless').catch((error: Error) => error.message);
    await begun;
    await listener.drain(50);
    expect(await response).toBe('socket hang up');
  });
});

test('a port in use stops the start and says so', async () => {
  const opening = new TestListener().reopen({ port: listener.port });
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(`Port ${listener.port} on 127.0.0.1 is in use.`);
});
