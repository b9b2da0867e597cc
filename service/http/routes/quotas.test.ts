import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { accounts } from '../../db/schema/people/accounts.ts';
import { dataOf, detailsOf } from '../../testing/api.ts';
import type { ApiResponse } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

const maxKeys = 3;
const maxWebhooks = 2;

const { ctx, api, account, caller } = useApi({
  accountFor: 'test',
  config: { maxKeys, maxWebhooks },
});

async function createKey(): Promise<ApiResponse> {
  const body = { name: 'One more', type: 'full' };
  return await caller.post('/api/v1/api-keys', body);
}

async function createWebhook(): Promise<ApiResponse> {
  const body = { name: 'Hook', url: 'https://example.com/hook', events: ['message.created'] };
  return await caller.post('/api/v1/webhooks', body);
}

async function allow(change: Partial<typeof accounts.$inferInsert>, of = account): Promise<void> {
  await ctx.db.update(accounts).set(change).where(eq(accounts.id, of.id));
}

async function quotas(of = account): Promise<unknown> {
  return dataOf(await api.as(await of.member('viewer')).get('/api/dashboard/quotas'));
}

test('an account can have as many active keys as the installation allows, and the refusal says what to do', async () => {
  const { id } = dataOf(await createKey());
  expect((await createKey()).status).toBe(201);
  const refused = await createKey();
  expect(refused.status).toBe(422);
  expect(detailsOf(refused)).toEqual({
    body: [
      'This account has 3 active API keys and can have at most 3. Revoke one that is no longer used, or ask the operator of this service to allow more.',
    ],
  });
  await caller.delete(`/api/v1/api-keys/${id}`);
  expect((await createKey()).status).toBe(201);
});

test('an account can have as many webhooks as the installation allows, and the refusal says what to do', async () => {
  const { id } = dataOf(await createWebhook());
  expect((await createWebhook()).status).toBe(201);
  const refused = await createWebhook();
  expect(refused.status).toBe(422);
  expect(detailsOf(refused)).toEqual({
    body: [
      'This account has 2 webhooks and can have at most 2. Delete one that is no longer used, or ask the operator of this service to allow more.',
    ],
  });
  await caller.delete(`/api/v1/webhooks/${id}`);
  expect((await createWebhook()).status).toBe(201);
});

test('an account with quotas of its own has these, more or fewer, and no other account has them', async () => {
  const other = await api.account();
  await allow({ maxKeys: 4, maxWebhooks: 1 });
  await createKey();
  await createKey();
  expect((await createKey()).status).toBe(201);
  expect((await createKey()).status).toBe(422);
  expect((await createWebhook()).status).toBe(201);
  expect((await createWebhook()).status).toBe(422);
  expect(await quotas(other)).toEqual({
    api_keys: { used: 0, max: maxKeys },
    webhooks: { used: 0, max: maxWebhooks },
  });
});

test('lowering a quota below the present number ends nothing, and says how many there are', async () => {
  await createKey();
  await allow({ maxKeys: 1 });
  expect(detailsOf(await createKey())['body']?.[0]).toMatch(
    /^This account has 2 active API keys and can have at most 1\./,
  );
  expect((await caller.get('/api/v1/api-key')).status).toBe(200);
});

test('every member sees how much of the quotas is used; revoked and expired keys do not count', async () => {
  const expiresAt = new Date(ctx.clock.now().getTime() + 60_000).toISOString();
  await account.key({ expiresAt });
  const { id } = dataOf(await createKey());
  await caller.delete(`/api/v1/api-keys/${id}`);
  await createWebhook();
  expect(await quotas()).toEqual({
    api_keys: { used: 2, max: maxKeys },
    webhooks: { used: 1, max: maxWebhooks },
  });
  ctx.clock.advance(60_000);
  await allow({ maxKeys: 0, maxWebhooks: null });
  expect(await quotas()).toEqual({
    api_keys: { used: 1, max: 0 },
    webhooks: { used: 1, max: maxWebhooks },
  });
});
