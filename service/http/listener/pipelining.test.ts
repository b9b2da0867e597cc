import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { useListener } from '../../testing/http/test-listener.ts';

const listener = useListener();

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
    steps = [];
    const gate = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    release = gate.resolve;
    begun = first.promise;
    await listener.reopen({
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
    const received = listener.write(pipelined);
    await begun;
    release();
    const statuses = (await received).match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual(['204', '204', '200']);
    expect(steps).toEqual(['POST begins', 'POST ends', 'DELETE begins', 'DELETE ends']);
  });

  test('are not carried out after a response that ends the connection', async () => {
    const received = listener.write(pipelined);
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
    await listener.ask('/healthz');
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
