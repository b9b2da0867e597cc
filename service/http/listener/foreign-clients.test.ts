import { once } from 'node:events';
import type { Socket } from 'node:net';
import axios from 'axios';
import { describe, expect, test } from 'vitest';
import { useApiListener, untilClosed } from '../../testing/http/api-listener.ts';
import { useApi } from '../../testing/use-api.ts';

/** Clients in other languages and libraries, over real connections, each with its own behavior. */
const { ctx, api, caller } = useApi({ accountFor: 'test' });
const listener = useApiListener(ctx, api);

describe('a PHP client creates, rotates, regenerates and deletes', () => {
  test.each([
    ['with Guzzle, whose empty JSON is []', '[]', 'application/json', 'GuzzleHttp/7'],
    ['with curl, which calls every body a form', '[]', 'application/x-www-form-urlencoded', null],
    ['with an empty form', '', 'application/x-www-form-urlencoded', 'GuzzleHttp/7'],
  ])('%s', async (_what, emptyBody, emptyType, agent) => {
    await expectJourney(async ({ method, path, token: bearer, body }) => {
      const hasBody = method !== 'GET';
      const response = await listener.ask({
        method,
        path,
        headers: {
          Accept: '*/*',
          Authorization: `Bearer ${bearer}`,
          ...(agent !== null && { 'User-Agent': agent }),
          ...(hasBody && { 'Content-Type': body ? 'application/json' : emptyType }),
        },
        body: hasBody ? (body ? jsonOfPhp(body) : emptyBody) : null,
      });
      return { ...response, headers: Object.fromEntries(response.headers) };
    }, caller.token);
  });
});

describe('axios creates, rotates, regenerates and deletes', () => {
  test.each([
    ['with null as JSON where there is no body', { 'Content-Type': 'application/json' }],
    ['with null and headers of its own', {}],
  ])('%s', async (_what, headers) => {
    const instance = axios.create({
      baseURL: listener.url,
      headers,
      proxy: false,
      validateStatus: () => true,
    });
    await expectJourney(async ({ method, path, token: bearer, body }) => {
      const response = await instance.request<unknown>({
        method,
        url: path,
        ...(method !== 'GET' && { data: body ?? null }),
        headers: { Authorization: `Bearer ${bearer}` },
      });
      const { status, data } = response;
      return { status, headers: { ...response.headers }, body: data === '' ? null : data };
    }, caller.token);
  });
});

describe('a client that writes HTTP by hand', () => {
  test('creates, rotates, regenerates and deletes on one connection, with chunked bodies', async () => {
    const socket = await listener.open();
    try {
      await expectJourney(handwritten(socket), caller.token);
    } finally {
      socket.destroy();
    }
  });

  test('sends everything in one piece, and gets the responses in order', async () => {
    const account = await api.account();
    const owner = await account.key();
    const key = await account.key({ scopes: ['webhooks:manage'] });
    const webhook = await account.webhook();
    const at = `/api/v1/webhooks/${webhook.id}`;
    const requests = [
      chunked('POST', `/api/v1/api-keys/${key.id}/rotate`, ['{', '}']),
      chunked('POST', `${at}/regenerate-secret`, []),
      plain('GET', '/api/v1/api-key'),
      chunked('DELETE', at, ['nu', 'll']),
      plain('GET', at),
      chunked('DELETE', `/api/v1/api-keys/${key.id}`, ['{"reason":', '"Done"}']),
      plain('GET', `/api/v1/api-keys/${key.id}`).replace(
        '\r\n\r\n',
        '\r\nconnection: close\r\n\r\n',
      ),
    ];
    const socket = await listener.open();
    const received = untilClosed(socket);
    socket.write(requests.join('').replaceAll(tokenPlace, owner.token), 'latin1');
    const responses = responsesOf(Buffer.from(await received, 'latin1'));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 200, 204, 404, 204, 200]);
    expect(responses.at(-1)?.body).toMatchObject({ data: { revoked_reason: 'Done' } });
  });
});

/** Like `json_encode`: escapes slashes and non-ASCII characters. */
function jsonOfPhp(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

const tokenPlace = '<token>';

/** Header names in alternating case, and a body in chunks. */
function chunked(method: string, path: string, chunks: readonly string[]): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'HOST: localhost',
    `authorization: bearer ${tokenPlace}`,
    'ACCEPT: application/json',
    'content-TYPE: application/json; charset=UTF-8',
    'TRANSFER-ENCODING: chunked',
  ];
  const sizes = chunks.map(
    (chunk) => `${chunk.length.toString(16).toUpperCase()};a=b\r\n${chunk}\r\n`,
  );
  return `${head.join('\r\n')}\r\n\r\n${sizes.join('')}0\r\n\r\n`;
}

function plain(method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nAUTHORIZATION: Bearer ${tokenPlace}\r\n\r\n`;
}

/** One request after another on one socket, each body in pieces of five bytes. */
function handwritten(socket: Socket): Client {
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  return async ({ method, path, token: bearer, body }) => {
    // Latin-1 on the wire, so non-ASCII characters are sent as bytes of UTF-8.
    const bytes = body ? Buffer.from(JSON.stringify(body)).toString('latin1') : '';
    const chunks = bytes.match(/[^]{1,5}/g) ?? [];
    const request = method === 'GET' ? plain(method, path) : chunked(method, path, chunks);
    received = Buffer.alloc(0);
    socket.write(request.replace(tokenPlace, bearer), 'latin1');
    for (;;) {
      const [response] = responsesOf(received);
      if (response) return response;
      await once(socket, 'data');
    }
  };
}

/** Every complete response in the received bytes. */
function responsesOf(received: Buffer): ClientResponse[] {
  const responses: ClientResponse[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return responses;
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name.toLowerCase(), value.join(': ')];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return responses;
    responses.push({
      status: Number(first.split(' ')[1]),
      headers,
      body: length === 0 ? null : (JSON.parse(body.toString()) as unknown),
    });
    rest = rest.subarray(end + 4 + length);
  }
}

/** A response that a client received, over whatever transport. */
type ClientResponse = {
  status: number;
  /** Headers by lower-case names. */
  headers: Record<string, unknown>;
  /** Null if there is no body. */
  body: unknown;
};

/**
 * A client of the API that this project did not write.
 *
 * @param body left out if the operation needs none: the client then sends what it usually sends
 */
type Client = (request: {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  token: string;
  body?: Record<string, unknown>;
}) => Promise<ClientResponse>;

type Made = { id: number; token?: string; secret?: string; message?: string };

/**
 * What every client must be able to do: create a key, rotate it, create a webhook with it,
 * regenerate the secret, and delete both.
 *
 * @param token of a key that may manage keys and webhooks
 */
async function expectJourney(client: Client, token: string): Promise<void> {
  const key = await expectMade(client, {
    token,
    path: '/api/v1/api-keys',
    body: {
      name: 'Größe/Retouren',
      type: 'limited',
      scopes: ['webhooks:manage'],
      expires_at: null,
    },
  });
  const first = String(key.token);
  expect(first).toMatch(/^sk_live_\w{38}$/);

  const rotation = await expectMade(client, { token, path: `/api/v1/api-keys/${key.id}/rotate` });
  expect(rotation.message).toContain('The old token stays valid for 24 hours');
  const second = String(rotation.token);
  const old = await client({ method: 'GET', path: '/api/v1/api-key', token: first });
  expect([old.status, typeof old.headers['api-key-expires']]).toEqual([200, 'string']);

  const webhook = await expectMade(client, {
    token: second,
    path: '/api/v1/webhooks',
    body: {
      name: 'Orders',
      url: 'https://orders.example.com/webhooks?a=1&b=2',
      events: ['message.created'],
    },
  });
  const at = `/api/v1/webhooks/${webhook.id}`;
  const regenerated = await expectMade(client, { token: second, path: `${at}/regenerate-secret` });
  expect(regenerated.secret).toMatch(/^whsec_/);

  await expectDeleted(client, { token: second, path: at });
  expect((await client({ method: 'GET', path: at, token: second })).status).toBe(404);
  await expectDeleted(client, { token, path: `/api/v1/api-keys/${key.id}` });
  const ended = await client({ method: 'GET', path: '/api/v1/api-key', token: second });
  expect([ended.status, ended.body]).toMatchObject([401, { error: { code: 'UNAUTHORIZED' } }]);
}

async function expectMade(
  client: Client,
  request: { path: string; token: string; body?: Record<string, unknown> },
): Promise<Made> {
  const { status, headers, body } = await client({ method: 'POST', ...request });
  expect([status, body]).toMatchObject([201, { success: true }]);
  expect(headers['content-type']).toBe('application/json');
  return (body as { data: Made }).data;
}

async function expectDeleted(
  client: Client,
  request: { path: string; token: string },
): Promise<void> {
  const { status, body } = await client({ method: 'DELETE', ...request });
  expect([status, body]).toEqual([204, null]);
}
