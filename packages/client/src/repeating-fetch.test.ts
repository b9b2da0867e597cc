import { beforeEach, expect, test, vi } from 'vitest';
import { createClient } from './create-client.ts';

const conversation = { body: { subject: 'Where is order 1042?' } };
const busy =
  (retryAfter: string, status = 429) =>
  () =>
    Response.json({}, { status, headers: { 'Retry-After': retryAfter } });
const done = () => Response.json({ data: { id: 1 } });
const unreachable = () => {
  throw new TypeError('fetch failed');
};
/** The response begins, and the connection is lost in its body. */
const broken = () =>
  new Response(
    new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }),
    { headers: { 'Content-Type': 'application/json' } },
  );

/** Without Retry-After, the wait is random. */
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

/** A client whose requests get these responses, the last one also all further ones. */
function clientOf(...responses: (() => Response)[]) {
  const requests: { method: string; key: string | null; body: string }[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com/messaging/',
    token: 'sk_live_x',
    async fetch(request) {
      const key = request.headers.get('Idempotency-Key');
      requests.push({ method: request.method, key, body: await request.text() });
      return (responses[requests.length - 1] ?? responses.at(-1) ?? done)();
    },
  });
  return { client, requests };
}

test('a call that got no response, or a part of one, a 429 or a 503 is repeated', async () => {
  for (const failure of [unreachable, broken, busy('0'), busy('0', 503)]) {
    const { client, requests } = clientOf(failure, done);
    expect((await client.GET('/api/v1/webhooks')).response.status).toBe(200);
    expect(requests).toHaveLength(2);
  }
});

test('every repetition of a POST has the same body and the same key, and another call another key', async () => {
  const { client, requests } = clientOf(busy('0'), unreachable, broken, done);
  await client.POST('/api/v1/conversations', conversation);
  expect(requests).toHaveLength(4);
  expect(new Set(requests.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
  await client.POST('/api/v1/conversations', conversation);
  expect(requests[4]?.key).not.toBe(requests[0]?.key);
});

test('a key of the caller is used for every repetition', async () => {
  const { client, requests } = clientOf(busy('0'), done);
  const header = { 'Idempotency-Key': 'mine' };
  await client.POST('/api/v1/conversations', { ...conversation, params: { header } });
  expect(requests.map(({ key }) => key)).toEqual(['mine', 'mine']);
});

test('a call that could take effect twice is never repeated, and has no key', async () => {
  const { client, requests } = clientOf(busy('0'));
  const params = { path: { webhook: 1 } };
  await client.POST('/api/v1/webhooks/{webhook}/test', { params });
  await client.PATCH('/api/v1/webhooks/{webhook}', { params, body: { is_active: false } });
  expect(requests.map(({ method, key }) => [method, key])).toEqual([
    ['POST', null],
    ['PATCH', null],
  ]);
});

test('after three repetitions, the caller gets the last response or error', async () => {
  const refused = clientOf(busy('0'));
  expect((await refused.client.GET('/api/v1/webhooks')).response.status).toBe(429);
  expect(refused.requests).toHaveLength(4);
  const cut = clientOf(busy('0'), busy('0'), busy('0'), unreachable);
  await expect(cut.client.GET('/api/v1/webhooks')).rejects.toThrow('fetch failed');
  expect(cut.requests).toHaveLength(4);
});

test('other errors are not repeated', async () => {
  const { client, requests } = clientOf(() => Response.json({}, { status: 500 }));
  await client.GET('/api/v1/webhooks');
  expect(requests).toHaveLength(1);
});

test('Retry-After can be a date, and a wait that is too long is left to the caller', async () => {
  const over = clientOf(busy('Fri, 20 Nov 2020 10:29:48 GMT'), done);
  expect((await over.client.GET('/api/v1/webhooks')).response.status).toBe(200);
  for (const tooLong of ['61', new Date(Date.now() + 120_000).toUTCString()]) {
    const { client, requests } = clientOf(busy(tooLong), done);
    expect((await client.GET('/api/v1/webhooks')).response.status).toBe(429);
    expect(requests).toHaveLength(1);
  }
});

test('the signal of the caller ends a wait', async () => {
  const { client, requests } = clientOf(busy('60'), done);
  const stop = new AbortController();
  const call = client.GET('/api/v1/webhooks', { signal: stop.signal });
  await expect.poll(() => requests.length).toBe(1);
  stop.abort(new Error('no longer needed'));
  await expect(call).rejects.toThrow('no longer needed');
  expect(requests).toHaveLength(1);
});

test('a client without a token is not created', () => {
  const options = { baseUrl: 'https://api.example.com', token: undefined };
  expect(() => createClient(options)).toThrow('token of an API key is missing');
});
