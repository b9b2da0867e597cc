import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { sendPacedCalls } from './paced-calls.ts';
import type { PacedCalls } from './paced-calls.ts';

let load: PacedCalls;
const received: (string | undefined)[] = [];
/** A server that refuses every third call. */
const server = createServer((request, response) => {
  received.push(request.headers.authorization);
  response.writeHead(received.length % 3 === 0 ? 503 : 200).end('{}');
});
beforeAll(async () => {
  load = {
    origin: `http://127.0.0.1:${await listenOnLoopback(server)}`,
    method: 'GET',
    calls: ['one', 'two'].map((token) => ({ path: '/things', token })),
    perSecond: 300,
    seconds: 1,
  };
});
afterAll(() => void server.close());

test.runIf(isFullRun)(
  'makes each call when it is due, and returns how long each response took, by status',
  async () => {
    const { tookMs, seconds } = await sendPacedCalls(load);
    expect(new Set(received)).toEqual(new Set(['Bearer one', 'Bearer two']));
    const [accepted = [], refused = []] = [tookMs[200], tookMs[503]];
    // One call may fall on either side of the start.
    expect(Math.abs(accepted.length - 200)).toBeLessThanOrEqual(1);
    expect(Math.abs(refused.length - 100)).toBeLessThanOrEqual(1);
    expect(received.length).toBeGreaterThan(accepted.length + refused.length);
    // A timer may fire a millisecond early.
    expect(Math.min(...accepted), 'none was sent before it was due').toBeGreaterThan(-2);
    expect(seconds).toBeGreaterThanOrEqual(0.9);
  },
);

test.runIf(isFullRun)('a connection that breaks is an error', async () => {
  const broken = createServer((request) => void request.socket.destroy());
  const origin = `http://127.0.0.1:${await listenOnLoopback(broken)}`;
  await expect(sendPacedCalls({ ...load, origin })).rejects.toThrow('/things: ');
  broken.close();
});
