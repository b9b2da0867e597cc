import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Workload } from '../../domain/capacity/workload.ts';
import { TestApi } from '../../testing/api.ts';
import type { TestAccount } from '../../testing/api.ts';
import { ApiListener } from '../../testing/http/api-listener.ts';
import { useContext } from '../../testing/use-api.ts';

const ctx = useContext();
let api: TestApi;
const listener = new ApiListener();
beforeAll(async () => {
  const bodies = { capacity: 300_000, maxPerKey: 200_000, freeOfEach: 1000 };
  api = new TestApi({ ...ctx, workload: new Workload({ bodies }) });
  await listener.serve(ctx, api);
});
afterAll(() => listener.close());

/** A body of which an account may have two in progress. */
const large = JSON.stringify({ subject: 'Slow' }).padEnd(100_000);

test.each([
  ['announced', { 'Content-Length': String(large.length) }],
  ['unknown', { 'Transfer-Encoding': 'chunked' }],
])(
  'bodies of %s length that arrive slowly take no more than the reserved memory',
  async (_, headers) => {
    const [account, other] = [await api.account(), await api.account()];
    const slow = await Promise.all(Array.from({ length: 10 }, () => sendMost(account, headers)));
    const refused = () => slow.filter(({ response }) => response !== null);
    await expect.poll(() => refused().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(8);
    for (const { response } of refused()) {
      expect(response).toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } });
    }

    expect((await send(account, '{"subject":"Ordinary"}')).status).toBe(201);
    expect((await send(other, large)).status).toBe(201);

    const held = slow.filter(({ response }) => response === null);
    for (const { request } of held) request.end(large.slice(-1));
    await expect
      .poll(() => held.map(({ response }) => response?.statusCode))
      .toEqual(held.map(() => 201));
    expect((await send(account, large)).status).toBe(201);
  },
);

type Sent = { request: ClientRequest; response: IncomingMessage | null };

/** Sends a large body except for its last byte. */
async function sendMost(account: TestAccount, headers: Record<string, string>): Promise<Sent> {
  const request = httpRequest(`${listener.url}/api/v1/conversations`, {
    method: 'POST',
    headers: { ...(await authorization(account)), ...headers },
    agent: false,
  });
  const sent: Sent = { request, response: null };
  request.on('response', (response: IncomingMessage) => {
    sent.response = response.resume();
  });
  // The service closes the connection of a body that it does not read.
  request.on('error', () => undefined);
  request.write(large.slice(0, -1));
  return sent;
}

async function send(account: TestAccount, body: string) {
  const headers = await authorization(account);
  return await listener.ask({ method: 'POST', path: '/api/v1/conversations', headers, body });
}

async function authorization(account: TestAccount): Promise<Record<string, string>> {
  const { token } = await account.key();
  return { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
}
