import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { Budget } from '../../../concurrency/budget.ts';
import { useListener, arrived, listenerConfig } from '../../../testing/http/test-listener.ts';

const listener = useListener();

describe('the pages', () => {
  test('get the host of the browser’s request, and the scheme of PUBLIC_URL', async () => {
    const { headers } = arrived(
      await listener.ask('/', { headers: { Host: 'KEYS.example.com:443' } }),
    );
    expect(headers.get('host')).toBe('keys.example.com');
    expect(headers.get('x-forwarded-host')).toBe('keys.example.com');
    expect(headers.get('x-forwarded-proto')).toBe('https');
    expect(headers.get('x-forwarded-for')).toBe('127.0.0.1');
  });

  test('keep the address and the page of a client whose action Next forwards, and let nobody else choose them', async () => {
    await listener.reopen({ config: { ...listenerConfig, trustedProxies: ['127.0.0.0/8'] } });
    const address = 'x-client-address';
    const signature = 'x-client-address-signature';
    const first = arrived(
      await listener.ask('/', { headers: { 'X-Forwarded-For': '203.0.113.7' } }),
    );
    const signed = { [address]: '203.0.113.7', [signature]: first.headers.get(signature) };
    expect(arrived(await listener.ask('/', { headers: signed })).headers.get(address)).toBe(
      '203.0.113.7',
    );
    for (const forged of [
      { [address]: '203.0.113.8' },
      { [signature]: 'A' },
      { [signature]: '' },
    ]) {
      const { headers } = arrived(await listener.ask('/', { headers: { ...signed, ...forged } }));
      expect(headers.get(address)).toBe('127.0.0.1');
    }
    expect(arrived(await listener.ask('/api', { headers: signed })).headers.has(signature)).toBe(
      false,
    );
    const forwarded = { 'x-action-forwarded': '1', 'x-page-path': '/a/7/settings' };
    for (const [headers, isKept] of [
      [{ ...signed, ...forwarded }, true],
      [forwarded, false],
    ] as const) {
      const seen = arrived(await listener.ask('/', { headers })).headers;
      for (const name of Object.keys(forwarded)) expect(seen.has(name)).toBe(isKept);
    }
  });

  test('get http as the scheme on loopback', async () => {
    const { headers } = arrived(await listener.ask('/', { headers: { Host: '127.0.0.1:3000' } }));
    expect(headers.get('x-forwarded-host')).toBe('127.0.0.1:3000');
    expect(headers.get('x-forwarded-proto')).toBe('http');
  });

  test('are served at PUBLIC_URL and on loopback only', async () => {
    const response = await listener.ask('/', { headers: { Host: 'rebound.example' } });
    expect(response.status).toBe(421);
    expect(response.text).toMatch(
      /Host header of this request is rebound\.example, .* https:\/\/keys/,
    );
  });

  // By default nginx asks in HTTP/1.0 and calls the service as in its own configuration.
  test.each(['127.0.0.1:3000', 'localhost', 'keys-upstream'])(
    'and actions behind a trusted proxy have the host of PUBLIC_URL, even if it sends %s',
    async (host) => {
      await listener.reopen({ config: { ...listenerConfig, trustedProxies: ['127.0.0.0/8'] } });
      for (const request of [
        'GET / HTTP/1.0\r\n',
        'POST / HTTP/1.0\r\nSec-Fetch-Site: same-origin\r\nOrigin: https://keys.example.com\r\nContent-Length: 0\r\n',
      ]) {
        const answer = await listener.write(`${request}Host: ${host}\r\nConnection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 200 /);
        expect(answer).toContain('["x-forwarded-host","keys.example.com"]');
        expect(answer).toContain('["x-forwarded-proto","https"]');
      }
    },
  );

  test('are refused behind another proxy that sends its own host, as text that the page shows', async () => {
    const proxied = 'Host: 127.0.0.1:3000\r\nConnection: close\r\n\r\n';
    const ofProxy = ['GET / HTTP/1.0\r\n', 'GET / HTTP/1.1\r\nX-Forwarded-For: 192.0.2.1\r\n'];
    const ofPage =
      'POST / HTTP/1.1\r\nNext-Action: ab\r\nSec-Fetch-Site: same-origin\r\nOrigin: https://keys.example.com\r\n';
    for (const request of [...ofProxy, ofPage]) {
      const answer = await listener.write(request + proxied);
      expect(answer).toMatch(/^HTTP\/1\.1 421 /);
      if (request === ofPage) expect(answer).toContain('Content-Type: text/plain\r\n');
      expect(answer).toContain('The Host header of this request is 127.0.0.1:3000, but');
    }
  });

  test('are shown at a forwarded host that is not theirs only as text that names theirs', async () => {
    await listener.reopen({ config: { ...listenerConfig, trustedProxies: ['127.0.0.0/8'] } });
    const headers = { Host: 'keys-upstream', 'X-Forwarded-Host': 'www.example.com' };
    const response = await listener.ask('/', { headers });
    expect(response).toMatchObject({
      status: 421,
      text: expect.stringContaining('www.example.com'),
    });
  });

  const sameSite = 'Host: localhost\r\nSec-Fetch-Site: same-origin\r\n';

  test('get only complete bodies, of at most 64 KiB', async () => {
    const bodies: number[] = [];
    await listener.reopen({
      preparePages: async () => async (request, response) => {
        expect(request).toMatchObject({ method: 'POST', url: '/x?y', httpVersion: '1.1' });
        bodies.push((await text(request)).length);
        response.end('taken');
      },
    });
    const post = (length: string, body: string) =>
      listener.write(
        `POST /x?y HTTP/1.1\r\n${sameSite}Connection: close\r\n${length}\r\n\r\n${body}`,
      );
    const max = 'x'.repeat(65_536);
    expect(await post(`Content-Length: ${max.length}`, max)).toMatch(/^HTTP\/1.1 200 .*taken$/s);
    expect(await post('Content-Length: 65537', `${max}x`)).toMatch(/^HTTP\/1.1 413 /);
    const chunks = `8000\r\n${'x'.repeat(32_768)}\r\n`.repeat(3);
    expect(await post('Transfer-Encoding: chunked', `${chunks}0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 413 /,
    );
    expect(bodies).toEqual([max.length]);
  });

  test('leave memory for small bodies while a client sends large ones slowly', async () => {
    await listener.reopen({
      bodies: new Budget({ capacity: 60_000, maxPerKey: 40_000, freeOfEach: 1000 }),
      preparePages: async () => async (_request, response) => void response.end('taken'),
    });
    const slow = Array.from({ length: 2 }, () => {
      const socket = connect(listener.port, '127.0.0.1');
      socket.write(
        `POST /x HTTP/1.1\r\n${sameSite}Connection: close\r\nContent-Length: 30000\r\n\r\n`,
      );
      socket.write('a'.repeat(29_999));
      return { socket, answer: text(socket) };
    });
    const refused = await Promise.race(
      slow.map(async ({ answer }, index) => ({ index, answer: await answer })),
    );
    expect(refused.answer).toMatch(/^HTTP\/1\.1 503 /);
    const small = `POST /x HTTP/1.1\r\n${sameSite}Connection: close\r\nContent-Length: 1\r\n\r\na`;
    expect(await listener.write(small)).toContain('taken');

    const held = slow[1 - refused.index];
    held?.socket.end('a');
    expect(await held?.answer).toContain('taken');
  });

  test('get no actions with arguments that Next cannot decode', async () => {
    const headers = 'Next-Action: ab\r\nContent-Type: text/plain\r\nConnection: close\r\n';
    const call = (body: string) =>
      listener.write(
        `POST / HTTP/1.1\r\n${sameSite}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    expect(await call('["a"]')).toMatch(/^HTTP\/1.1 200 /);
    expect(await call('["$1"]')).toMatch(
      /^HTTP\/1.1 422 .*\r\n\r\n\{"success":false,"error":\{"code":"VALIDATION_ERROR".*"body":\[/s,
    );
  });

  test('get no path that cannot be decoded', async () => {
    const path = '/settings/%E0%A4%A?x';
    const response = await listener.ask(path);
    expect(response.status).toBe(400);
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'BAD_REQUEST' } });
    const inBrowser = await listener.ask(path, { headers: { Accept: 'text/html' } });
    expect(inBrowser).toMatchObject({ status: 400, text: expect.stringMatching(/^This URL /) });
    expect((await listener.ask('/settings/a%20b?x=%zz')).status).toBe(200);
  });

  test('get no request whose client hangs up in the middle of its body', async () => {
    const asked: string[] = [];
    await listener.reopen({
      preparePages: async () => async (request, response) => {
        asked.push(String(request.url));
        response.end();
      },
    });
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`POST /half HTTP/1.1\r\n${sameSite}Content-Length: 9\r\n\r\nx`);
    await listener.ask('/whole');
    socket.resetAndDestroy();
    await listener.drain(1000);
    expect(asked).toEqual(['/whole']);
  });

  test('accept changes from their own pages only', async () => {
    const cross = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await listener.ask('/', { method: 'POST', headers: cross })).status).toBe(403);
    expect((await listener.ask('/a/7/data/keys', { headers: cross })).status).toBe(403);
    const same = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await listener.ask('/', { method: 'POST', headers: same })).status).toBe(200);
    expect((await listener.ask('/a/7/data/keys', { headers: same })).status).toBe(200);
  });

  test('are kept out of every cache however their headers are written', async () => {
    await listener.reopen({
      preparePages: async () => async (_request, response) => {
        response.writeHead(200, { 'cache-control': 'public, max-age=60', 'X-Other': '1' }).end();
      },
    });
    const { headers } = await listener.ask('/');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-other': '1' });
  });

  test('are kept out of every cache, their fingerprinted files are not', async () => {
    expect((await listener.ask('/sign-in')).headers['cache-control']).toBe('no-store');
    expect((await listener.ask('/', { headers: { Host: 'x' } })).headers['cache-control']).toBe(
      'no-store',
    );
    const file = await listener.ask('/_next/static/chunks/a.js');
    expect(file.headers['cache-control']).toBe('s-maxage=31536000');
  });
});
