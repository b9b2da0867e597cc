import { beforeEach, describe, expect, test } from 'vitest';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import type { TestKey } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account } = useApi({ accountFor: 'test' });
let owner: TestKey;
let key: TestKey;
beforeEach(async () => {
  owner = await account.key();
  key = await account.key({ scopes: ['conversations:write', 'conversations:read'] });
});

const path = '/api/v1/conversations';
const wholeBody = JSON.stringify({ subject: 'Order 7' });

/**
 * Begins to create a conversation: the service has checked the key, and waits for the body.
 * `complete` sends the body and returns the status of the response.
 */
async function beginCreating(): Promise<{ complete: () => Promise<number> }> {
  const isAwaited = Promise.withResolvers<void>();
  const isComplete = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isAwaited.resolve();
        await isComplete.promise;
        controller.enqueue(Buffer.from(wholeBody));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const response = api.app.request(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key.token}`,
      'Content-Type': 'application/json',
      'x-client-address': '203.0.113.7',
    },
    body,
    duplex: 'half',
  } as RequestInit);
  await Promise.race([isAwaited.promise, response]);
  return {
    async complete() {
      isComplete.resolve();
      return (await response).status;
    },
  };
}

async function conversations(): Promise<number> {
  return itemsOf(await api.call('GET', path, { token: owner.token })).length;
}

describe('a call whose body takes its time to arrive', () => {
  test('is carried out if nothing has changed', async () => {
    const { complete } = await beginCreating();
    ctx.clock.advance(25_000);
    expect(await complete()).toBe(201);
    expect(await conversations()).toBe(1);
  });

  test('is refused if its key was revoked in the meantime', async () => {
    const { complete } = await beginCreating();
    await api.call('DELETE', `/api/v1/api-keys/${key.id}`, { token: owner.token });
    ctx.clock.advance(25_000);
    expect(await complete()).toBe(401);
    expect(await conversations()).toBe(0);
  });

  test('is refused if its key lost the scope in the meantime', async () => {
    const { complete } = await beginCreating();
    const changed = await api.call('PATCH', `/api/v1/api-keys/${key.id}`, {
      token: owner.token,
      body: { scopes: ['conversations:read'] },
    });
    expect(dataOf(changed)).toMatchObject({ scopes: ['conversations:read'] });
    ctx.clock.advance(25_000);
    expect(await complete()).toBe(403);
    expect(await conversations()).toBe(0);
  });

  test('is refused if its key no longer allows the address', async () => {
    const { complete } = await beginCreating();
    await api.call('PATCH', `/api/v1/api-keys/${key.id}`, {
      token: owner.token,
      body: { allowed_cidrs: ['198.51.100.0/24'] },
    });
    ctx.clock.advance(25_000);
    expect(await complete()).toBe(403);
    expect(await conversations()).toBe(0);
  });
});
