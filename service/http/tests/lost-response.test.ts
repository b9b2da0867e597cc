import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../db/open.ts';
import { dataOf, itemsOf, TestApi } from '../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../testing/api.ts';
import { ApiListener } from '../../testing/http/api-listener.ts';
import { useContext } from '../../testing/use-api.ts';

/**
 * Clients over a socket whose connection is cut after the act is committed and before the response.
 */
const ctx = useContext();
const listener = new ApiListener();
let account: TestAccount;
let afterCommit: () => void = () => undefined;

beforeAll(async () => {
  const api = new TestApi({ ...ctx, db: tellingOfCommits(ctx.db, () => afterCommit()) });
  await listener.serve(ctx, api);
  account = await new TestApi(ctx).account();
});
beforeEach(() => {
  afterCommit = () => undefined;
});
afterAll(() => listener.close());

describe('a client whose connection is cut after the commit', () => {
  test('that rotates its own key recovers with the token it has', async () => {
    const key = await account.key();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    await sendAndLoseResponse(path, { token: key.token, body: { grace_period_seconds: 3600 } });
    const [lost, old] = await tokensOf(key);
    expect(old?.last_four).toBe(key.lastFour);

    const again = await post(path, { token: key.token, body: { grace_period_seconds: 3600 } });
    expect(again.status).toBe(201);
    expect(Object.keys(dataOf(again))).toEqual(['token', 'message']);
    const fresh = String(dataOf(again)['token']);
    expect((await get('/api/v1/api-key', fresh)).status).toBe(200);
    const [newest, older, ...more] = await tokensOf({ ...key, token: fresh });
    expect([newest?.id, newest?.last_four]).toEqual([lost?.id, fresh.slice(-4)]);
    expect([older?.id, older?.valid_until]).toEqual([old?.id, old?.valid_until]);
    expect(more).toEqual([]);

    // This is the last thing that it may do with the old token.
    const creation = { token: key.token, body: { name: 'No', type: 'bot' } };
    expect((await post('/api/v1/api-keys', creation)).status).toBe(403);
  });

  test('that creates a key gets that key, and makes no second one', async () => {
    const { token } = await account.key();
    const body = { name: 'Made once', type: 'bot' };
    await sendAndLoseResponse('/api/v1/api-keys', { token, body });
    const again = await post('/api/v1/api-keys', { token, body });
    expect(again.status).toBe(201);
    const made = itemsOf(await get('/api/v1/api-keys', token)).filter(
      ({ name }) => name === 'Made once',
    );
    expect(made.map(({ id }) => id)).toEqual([dataOf(again).id]);
    expect((await get('/api/v1/api-key', String(dataOf(again)['token']))).status).toBe(200);
  });

  test('that regenerates a secret gets one, and the old one signs until the announced time', async () => {
    const { token } = await account.key();
    const { id } = await account.webhook();
    const path = `/api/v1/webhooks/${id}/regenerate-secret`;
    await post(path, { token, name: 'first' });
    await sendAndLoseResponse(path, { token });
    const until = await previousValidUntil(id, token);
    ctx.clock.advance(60_000);
    const again = await post(path, { token });
    expect(again.status).toBe(201);
    expect(String(dataOf(again)['secret'])).toMatch(/^whsec_/);
    expect(await previousValidUntil(id, token)).toBe(until);
  });
});

type Sent = { token: string; body?: unknown; name?: string };

/**
 * Resolves when the act is committed and the connection is closed, before any part of the response
 * arrived.
 */
async function sendAndLoseResponse(path: string, { token, body = {} }: Sent): Promise<void> {
  const socket = await listener.open();
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  const isCommitted = new Promise<void>((resolve) => {
    afterCommit = () => {
      afterCommit = () => undefined;
      socket.resetAndDestroy();
      resolve();
    };
  });
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Idempotency-Key: lost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  await Promise.all([isCommitted, once(socket, 'close')]);
  expect(Buffer.concat(received).toString()).toBe('');
}

async function post(path: string, { token, body = {}, name = 'lost' }: Sent): Promise<ApiResponse> {
  return await listener.ask({
    method: 'POST',
    path,
    headers: {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': name,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });
}

async function get(path: string, token: string): Promise<ApiResponse> {
  const headers = { Authorization: `Bearer ${token}` };
  return await listener.ask({ method: 'GET', path, headers, body: null });
}

async function tokensOf({ id, token }: { id: number; token: string }) {
  const shown = dataOf(await get(`/api/v1/api-keys/${id}`, token))['tokens'];
  return shown as { id: number; last_four: string; valid_until: string | null }[];
}

async function previousValidUntil(webhook: number, token: string): Promise<string | null> {
  const { secret } = dataOf(await get(`/api/v1/webhooks/${webhook}`, token));
  return (secret as { previous_valid_until: string | null }).previous_valid_until;
}

/** The database, which reports each commit of a transaction before its caller learns of it. */
function tellingOfCommits(db: Db, tell: () => void): Db {
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...given: unknown[]) => unknown;
      if (name !== 'transaction') return method;
      return async (...given: unknown[]) => {
        const result = await method(...given);
        tell();
        return result;
      };
    },
  });
}
