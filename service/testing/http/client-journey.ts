import { expect } from 'vitest';

/** A response that a client received, over whatever transport. */
export type ClientResponse = {
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
export type Client = (request: {
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
export async function expectJourney(client: Client, token: string): Promise<void> {
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
