import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { isFullRun } from '../../testing/full-run.ts';
import type { HttpLoad } from './http-client.ts';
import { createOwnClient } from './own-client.ts';

let server: Server;
let load: HttpLoad;
const received: { request: IncomingMessage; body: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response));
  load = {
    origin: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    method: 'POST',
    body: '{"name":"tä"}',
    calls: ['one', 'two', 'three'].map((token) => ({ path: `/things/${token}`, token })),
    status: 201,
    seconds: 0.05,
  };
});
afterAll(() => void server.close());

/** Responds without a length, so that Node sends chunks. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push({ request, body: await text(request) });
  response.writeHead(201).write('{"a":');
  response.end('1}');
}

test.runIf(isFullRun)(
  'makes each call in turn with a complete request, and counts the responses',
  async () => {
    const { responses, perSecond } = await createOwnClient().send(load);
    expect(responses).toBe(received.length);
    expect(responses).toBeGreaterThanOrEqual(32);
    expect(perSecond).toBeGreaterThan(0);
    const tokens = received.map(({ request }) => request.headers.authorization);
    expect(new Set(tokens)).toEqual(new Set(['Bearer one', 'Bearer two', 'Bearer three']));
    for (const { request, body } of received) {
      const token = request.headers.authorization?.replace('Bearer ', '');
      expect([request.method, request.url, body]).toEqual([
        'POST',
        `/things/${token}`,
        '{"name":"tä"}',
      ]);
    }
  },
);

test.runIf(isFullRun)('a response with another status is an error', async () => {
  await expect(createOwnClient().send({ ...load, status: 200 })).rejects.toThrow(
    '/things/one: got 201',
  );
});
