import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback, unusedPort } from '#lib/testing/loopback.ts';
import { certificates } from '../../../testing/delivery/certificates.ts';
import type { TestSender } from '../../../testing/delivery/sender.ts';
import { receiving, sending } from '../../../testing/delivery/sending.ts';
import type { SenderOptions } from '../send.ts';

/**
 * How a proxy handles CONNECT: the status it responds with, and the port that it connects to. Without
 * a port it closes the connection.
 */
type Policy = {
  status: number;
  toPort?: number;
  isSilent?: boolean;
  /** Clients reach the proxy over TLS. */
  certificate?: keyof typeof certificates;
};

async function startProxy(policy: Policy) {
  const asked: { authority: string; headers: IncomingHttpHeaders }[] = [];
  const open = new Set<Duplex>();
  const { certificate } = policy;
  const server = certificate ? createSecureServer(certificates[certificate]) : createServer();
  server.on('connect', ({ url = '', headers }, socket: Duplex) => {
    asked.push({ authority: url, headers });
    open.add(socket.on('error', () => undefined));
    if (policy.isSilent) return;
    if (policy.toPort === undefined) {
      socket.end(`HTTP/1.1 ${policy.status} No\r\n\r\n`);
      return;
    }
    const target = connect(policy.toPort, '127.0.0.1', () => {
      socket.write(`HTTP/1.1 ${policy.status} Connection established\r\n\r\n`);
      socket.pipe(target).pipe(socket);
    });
    open.add(target.on('error', () => undefined));
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`, port, asked };
}

/** A sender that could reach no private address by itself, and has no name server. */
function sendingThrough(proxy: string, options: Partial<SenderOptions> = {}): TestSender {
  return sending({
    ...options,
    environment: { WEBHOOK_PROXY: proxy, WEBHOOK_ALLOWED_CIDRS: '' },
    resolve: () => Promise.reject(new Error('names are the proxy’s to look up')),
  });
}

test('the proxy looks names up and decides; TLS is end to end through it', async () => {
  const receiver = await receiving({ certificate: 'trusted' });
  const proxy = await startProxy({ status: 200, toPort: receiver.port });
  const sender = sendingThrough(proxy.origin.replace('//', '//user:p%40ss@'));
  const result = await sender.send('https://hooks.test/a', { laneId: 1 });
  await sender.send('https://hooks.test/b', { laneId: 1 });

  expect(result).toMatchObject({ error: null, response: { statusCode: 204 } });
  expect(receiver.requests.map(({ headers }) => headers.host)).toEqual([
    'hooks.test',
    'hooks.test',
  ]);
  // The tunnel is kept alive, so that one serves both attempts.
  expect(proxy.asked.map(({ authority }) => authority)).toEqual(['hooks.test:443']);
  const credentials = Buffer.from('user:p@ss').toString('base64');
  expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(`Basic ${credentials}`);
  expect(receiver.requests[0]?.headers['proxy-authorization']).toBeUndefined();
});

test.each([200, 201])(
  'an http target goes through a tunnel as well, opened with %i',
  async (status) => {
    const receiver = await receiving();
    const proxy = await startProxy({ status, toPort: receiver.port });
    const result = await sendingThrough(proxy.origin).send('http://hooks.test/a');
    expect(result.response?.statusCode).toBe(204);
    expect(proxy.asked.map(({ authority }) => authority)).toEqual(['hooks.test:80']);
  },
);

test.each(['127.0.0.1', 'localhost'])(
  'a proxy over TLS is identified by its own name, %s',
  async (host) => {
    const plain = await receiving();
    const toPlain = await startProxy({
      status: 200,
      toPort: plain.port,
      certificate: 'trusted',
    });
    const throughPlain = sendingThrough(`https://${host}:${toPlain.port}`);
    expect(await throughPlain.send('http://receiver.test/')).toMatchObject({ error: null });

    const secure = await receiving({ certificate: 'trusted' });
    const toSecure = await startProxy({
      status: 200,
      toPort: secure.port,
      certificate: 'trusted',
    });
    const throughSecure = sendingThrough(`https://${host}:${toSecure.port}`);
    expect(await throughSecure.send('https://hooks.test/')).toMatchObject({ error: null });
  },
);

test('a proxy over TLS that is not who its name says is given no credentials, even if it is a receiver', async () => {
  const proxy = await startProxy({ status: 200, certificate: 'wrong-name' });
  const sender = sendingThrough(proxy.origin.replace('//', '//user:secret@'));
  sender.log.expectErrors(/our own fault/);
  expect((await sender.send('http://another.test/')).error?.kind).toBe('internal');
  expect(proxy.asked).toEqual([]);
});

test('an endless response is limited in a tunnel too', async () => {
  const receiver = await receiving({ certificate: 'trusted' });
  receiver.respondWith(({ socket }) => {
    const extension = `1;a=${'x'.repeat(16_000)}\r\na\r\n`;
    const pour = () => {
      while (!socket.destroyed && socket.write(extension));
    };
    socket.on('drain', pour).write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', pour);
  });
  const proxy = await startProxy({ status: 200, toPort: receiver.port });
  const result = await sendingThrough(proxy.origin).send('https://hooks.test/');
  expect(result).toMatchObject({
    error: { kind: 'response_too_large' },
    response: { statusCode: 200 },
  });
});

test.each([
  [403, 'blocked_address', 'The proxy (WEBHOOK_PROXY) refused to connect to hooks.test.'],
  [
    502,
    'connection_refused',
    'The proxy (WEBHOOK_PROXY) could not connect to hooks.test (status 502).',
  ],
])('%i from the proxy is an error of the receiver: %s', async (status, kind, message) => {
  const proxy = await startProxy({ status });
  const result = await sendingThrough(proxy.origin).send('https://hooks.test/');
  expect(result.error).toEqual({ kind, message });
});

test('407 from the proxy is an internal error', async () => {
  const proxy = await startProxy({ status: 407 });
  const sender = sendingThrough(proxy.origin);
  sender.log.expectErrors(/our own fault/);
  expect((await sender.send('https://hooks.test/')).error?.kind).toBe('internal');
});

test('a proxy that cannot be reached is an internal error', async () => {
  const sender = sendingThrough(`http://127.0.0.1:${await unusedPort()}`);
  sender.log.expectErrors(/our own fault/);
  expect((await sender.send('https://hooks.test/')).error?.kind).toBe('internal');
});

test('a proxy that does not respond is a time-out while connecting', async () => {
  const proxy = await startProxy({ status: 200, isSilent: true });
  const sender = sendingThrough(proxy.origin, { connectTimeoutMs: 300 });
  const result = await sender.send('https://hooks.test/');
  expect(result.error?.kind).toBe('connect_timeout');
});
