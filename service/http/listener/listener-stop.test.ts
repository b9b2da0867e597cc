import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { untilGone, waysToHold } from '../../testing/http/holding-clients.ts';
import { useListener } from '../../testing/http/test-listener.ts';
import type { ListenerOptions } from './listener.ts';

/** With a library that listens for upgrades on its server, as Next does at its first page. */
const options: Partial<ListenerOptions> = {
  api: async (request) => new Response(`body: ${await request.text()}`),
  preparePages: async (server) => {
    server.on('upgrade', (_request, socket) => void socket.write('HTTP/1.1 101 Switching\r\n\r\n'));
    return async ({ headers }, response) =>
      void response.end(headers.upgrade ?? headers.connection ?? 'a page');
  },
};
const listener = useListener(options);

async function respondAtLength(): Promise<Response> {
  return new Response('x'.repeat(100_000));
}

describe('a request that asks to upgrade', () => {
  async function askToUpgrade(head: string, protocol: string, body = ''): Promise<string> {
    const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1').setTimeout(3000);
    socket.on('timeout', () => socket.destroy());
    socket.write(
      `${head} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n` +
        `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n${body}`,
    );
    let received = '';
    socket.on('data', (text: string) => {
      // The connection continues with HTTP/1.1: another request on it gets its response.
      if (received === '')
        socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      received += text;
    });
    await once(socket, 'close');
    return received;
  }

  test.each([
    ['GET /readyz', 'h2c', '', 'f\r\n{"status":"ok"}\r\n0\r\n\r\n'],
    ['GET /api/v1/webhooks', 'websocket', '', 'body: '],
    ['POST /api/v1/webhooks', 'h2c', 'sent', 'body: sent'],
    ['GET /', 'websocket', '', 'a page'],
    ['GET /_next/hmr', 'websocket', '', 'a page'],
  ])(
    '%s to %s gets the same response as without the request to upgrade',
    async (head, protocol, body, response) => {
      const received = await askToUpgrade(head, protocol, body);
      expect(received).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(received).toContain(`\r\n\r\n${response}HTTP/1.1 200 OK\r\n`);
      expect(received).toMatch(/\{"status":"ok"\}\r\n0\r\n\r\n$/);
    },
  );
});

describe('a stop ends every connection, no matter what a client holds open:', () => {
  test.each(Object.entries(waysToHold))('%s', async (name, hold) => {
    if (name === 'an upgraded socket') await reopen({ upgradesBelow: '/api/' });
    if (name === 'responses it never reads') await reopen({ api: respondAtLength });
    const held = { host: '127.0.0.1', port: listener.port, path: '/api/v1/webhooks' };
    const socket = await hold(held);
    await listener.drain(100);
    await untilGone(socket);
  });

  test('a socket without any request, long before the time for responses is over', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    await once(socket, 'connect');
    await listener.drain(600_000);
    await untilGone(socket);
  });

  test('a kept-alive connection whose response ends in the meantime', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await reopen({
      api: async () => {
        begun.resolve();
        await gate;
        return new Response('done');
      },
    });
    const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1');
    socket.write('GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await begun.promise;
    const drained = listener.drain(60_000);
    release();
    const [response] = (await once(socket, 'data')) as [string];
    expect(response).toContain('Connection: close');
    await drained;
    await untilGone(socket);
  });

  test('a kept-alive connection, which can send one more request', async () => {
    const socket = connect(listener.port, '127.0.0.1').setEncoding('latin1');
    const request = 'GET /api/v1/webhooks HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(request);
    await once(socket, 'data');
    const drained = listener.drain(600_000);
    // A proxy may have sent it before it could know of the stop.
    socket.write(request);
    const [response] = (await once(socket, 'data')) as [string];
    expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(response).toContain('Connection: close');
    await drained;
    await untilGone(socket);
  });

  test('a kept-alive connection without another request, long before the time for responses is over', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'data');
    await listener.drain(600_000);
    await untilGone(socket);
  });

  async function reopen(changes: Partial<ListenerOptions>): Promise<void> {
    await listener.reopen({ ...options, ...changes });
  }
});
