import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { untilGone, waysToHold } from '../../testing/http/holding-clients.ts';
import { useListener } from '../../testing/http/test-listener.ts';

let server: Server;
const listener = useListener({
  api: async () => new Response('x'.repeat(100_000)),
  preparePages: async (opened) => {
    server = opened;
    return async (_request, response) => void response.end();
  },
  patience: { inactivityTimeout: 1000 },
});

test('a client that reads none of its responses is disconnected after a time limit', async () => {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const held = { host: '127.0.0.1', port: listener.port, path: '/api/v1/webhooks' };
  const client = await waysToHold['responses it never reads'](held);
  const [socket] = await accepted;
  if (!socket.closed) await once(socket, 'close');
  await untilGone(client);
  expect(socket.destroyed).toBe(true);
});
