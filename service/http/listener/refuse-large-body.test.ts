import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useListener, listenerConfig } from '../../testing/http/test-listener.ts';

const max = 65_536;
/** The bodies that reached the pages. */
let received: string[];
const open = new Set<Socket>();

beforeEach(() => {
  received = [];
});
const listener = useListener({
  config: { ...listenerConfig, publicUrl: new URL('http://localhost:3000') },
  api: async (request) => Response.json({ length: (await request.text()).length }),
  preparePages: async () => async (request, response) => {
    const body = await text(request);
    received.push(body);
    response.end(`${request.method} ${body.length}`);
  },
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

function openSocket(): Socket {
  const socket = connect({ port: listener.port, host: '127.0.0.1' });
  open.add(socket);
  return socket;
}

function head(length: number | 'chunked', { path = '/sign-in', method = 'POST' } = {}): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost:3000',
    'Sec-Fetch-Site: same-origin',
    'Cookie: session=whatever',
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');
}

function chunk(data: string): string {
  return `${data.length.toString(16)}\r\n${data}\r\n`;
}

/** Everything that the server sends until it closes its side. @throws if the connection is reset */
async function untilEnd(socket: Socket): Promise<string> {
  return await text(socket);
}

/** Everything that the server sends until this text has arrived. */
async function untilIncludes(socket: Socket, wanted: string): Promise<string> {
  let all = '';
  while (!all.includes(wanted)) {
    const [data] = (await once(socket, 'data')) as [Buffer];
    all += data.toString('latin1');
  }
  return all;
}

const refusal =
  /^HTTP\/1\.1 413 Payload Too Large\r\n[^]*\r\n\r\nThe dashboard accepts at most 64 KiB per request\.\n$/;

describe('a body for the dashboard that is too large', () => {
  test.each([
    ['to the sign-in page', { path: '/sign-in' }],
    ['to a page', { path: '/a/7/settings/api-keys' }],
    ['to data', { path: '/a/7/data/listApiKeys' }],
    ['to no page at all', { path: '/nothing/here' }],
    ['to a file', { path: '/_next/static/chunks/a.js', method: 'GET' }],
    ['with another method', { method: 'DELETE' }],
    ['with GET', { method: 'GET' }],
  ])('is refused before any of it is sent, %s', async (_, about) => {
    const socket = openSocket();
    socket.write(head(max + 1, about));
    const response = await untilIncludes(socket, 'at most 64 KiB per request.\n');
    expect(response).toMatch(refusal);
    expect(response).toMatch(/^Connection: close\r$/m);
    expect(received).toEqual([]);
  });

  test('is refused while it streams, as soon as it is too large', async () => {
    const socket = openSocket();
    socket.write(head('chunked') + chunk('x'.repeat(max)));
    socket.write(chunk('x'));
    expect(await untilIncludes(socket, 'at most 64 KiB per request.\n')).toMatch(refusal);
    expect(received).toEqual([]);
  });

  test.each([
    ['declared', head(2_000_000) + 'x'.repeat(2_000_000)],
    ['streamed', `${head('chunked') + chunk('x'.repeat(2_000_000))}0\r\n\r\n`],
  ])('is refused without a reset to a client that reads late: %s', async (_, bytes) => {
    const socket = openSocket();
    socket.pause();
    socket.write(bytes);
    await new Promise<void>((resolve) => socket.write('', () => resolve()));
    expect(await untilEnd(socket)).toMatch(refusal);
    expect(received).toEqual([]);
  });

  test('cannot hold the connection for as long as the client keeps sending', async () => {
    const socket = openSocket();
    const closed = once(socket, 'close');
    socket.on('error', () => undefined).resume();
    socket.write(head('chunked'));
    const sending = setInterval(() => socket.write(chunk('x'.repeat(max))), 1);
    await closed;
    clearInterval(sending);
    expect(received).toEqual([]);
  });

  test('does not concern the API', async () => {
    const socket = openSocket();
    socket.write(head(100_000, { path: '/api/v1/x' }) + 'x'.repeat(100_000));
    expect(await untilIncludes(socket, '}')).toContain('{"length":100000}');
  });
});

describe('a body for the dashboard', () => {
  const whole = 'abcdefgh'.repeat(max / 8);

  test.each([
    ['declared', head(max) + whole],
    ['in one chunk', `${head('chunked') + chunk(whole)}0\r\n\r\n`],
    ['in many chunks', `${head('chunked') + chunk('abcdefgh'.repeat(64)).repeat(128)}0\r\n\r\n`],
  ])('of 64 KiB arrives as it was sent, %s', async (_, bytes) => {
    const socket = openSocket();
    socket.write(bytes);
    await untilIncludes(socket, `POST ${max}`);
    expect(received).toEqual([whole]);
  });

  test('that comes in pieces arrives as it was sent', async () => {
    const socket = openSocket();
    socket.setNoDelay();
    const bytes = head(12) + 'hello, world';
    for (const piece of bytes.match(/[^]{1,7}/g) ?? []) {
      await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
    }
    await untilIncludes(socket, 'POST 12');
    expect(received).toEqual(['hello, world']);
  });

  test.each([
    ['of no length', head(0)],
    ['of no chunks', `${head('chunked')}0\r\n\r\n`],
  ])('%s is empty', async (_, bytes) => {
    const socket = openSocket();
    socket.write(bytes);
    await untilIncludes(socket, 'POST 0');
    expect(received).toEqual(['']);
  });

  test('is separated from the request behind it', async () => {
    const socket = openSocket();
    socket.write(`${head(5)}first${head('chunked')}${chunk('second')}0\r\n\r\n${head(5)}third`);
    await expect.poll(() => received).toEqual(['first', 'second', 'third']);
  });

  test('that is cut off reaches no page, and is not logged as an error', async () => {
    const socket = openSocket();
    socket.write(`${head(100)}half`);
    await once(socket, 'connect');
    socket.destroy();
    const next = openSocket();
    next.write(`${head(4)}next`);
    await expect.poll(() => received).toEqual(['next']);
  });
});
