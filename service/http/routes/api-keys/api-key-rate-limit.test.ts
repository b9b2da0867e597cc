import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import type { CreatedKey } from '../../../testing/api-keys/key-calls.ts';
import { statusOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { TestKey } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

/** The limit of calls a minute for each key, and for all keys of an account together. */
const perKey = 20;
const perAccount = 60;

const config = { rateLimitPerMinute: perKey, accountRateLimitPerMinute: perAccount };
const { ctx, api, account, caller } = useApi({ accountFor: 'test', config });
const keys = new KeyCalls(caller);

test('a key’s own rate limit applies instead of the usual one, and is stated in the headers', async () => {
  const key = await keyWithLimit(2);
  const calls = [];
  for (let made = 0; made < 3; made += 1) calls.push(await key.get('/api/v1/api-key'));
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(calls[0]?.headers.get('RateLimit-Policy')).toBe('"default";q=2;w=60');
  expect(calls[0]?.headers.get('RateLimit')).toBe('"default";r=1;t=60');
  ctx.clock.advance(60_000);
  expect(await statusOf(api, key.token)).toBe(200);
});

test('it may be higher than the usual one, and is never higher than the account’s', async () => {
  const key = await keyWithLimit(perKey + 5);
  const statuses = [];
  for (let call = 0; call <= perKey + 5; call += 1) statuses.push(await statusOf(api, key.token));
  expect(statuses).toEqual([...Array.from({ length: perKey + 5 }, () => 200), 429]);
  const maker = keys.as((await keyWithLimit(perAccount)).token);
  const limit = { rate_limit_per_minute: perAccount + 1 };
  for (const refused of [
    await maker.create({ name: 'Shop', type: 'full', ...limit }),
    await maker.change(key.id, limit),
  ]) {
    expect(detailsOf(refused)['rate_limit_per_minute']?.[0]).toContain(`at most ${perAccount}`);
  }
});

test('it applies to the next call after it is changed', async () => {
  const { id, token } = await account.key();
  expect(await statusOf(api, token)).toBe(200);
  await keys.change(id, { rate_limit_per_minute: 1 });
  expect(await statusOf(api, token)).toBe(429);
  await keys.change(id, { rate_limit_per_minute: null });
  expect(await statusOf(api, token)).toBe(200);
});

test('a key cannot give another key, or itself, a higher limit than its own', async () => {
  const create = async (limit: object, by = keys) =>
    await by.create({ name: 'Shop', type: 'full', ...limit });
  expect((await create({ rate_limit_per_minute: perKey + 1 })).status).toBe(403);
  const { id, token } = dataOf<CreatedKey>(await create({ rate_limit_per_minute: 10 }));
  const bound = keys.as(token);
  expect((await bound.change(id, { rate_limit_per_minute: null })).status).toBe(403);
  expect((await create({}, bound)).status).toBe(403);
  expect((await create({ rate_limit_per_minute: 10 }, bound)).status).toBe(201);
});

test('a key cannot change, rotate or revoke a key with a higher limit', async () => {
  const bound = keys.as((await keyWithLimit(10)).token);
  const acts = [
    (id: number) => bound.change(id, { name: 'Taken over' }),
    (id: number) => bound.rotate(id),
    (id: number) => bound.revoke(id),
  ];
  const [higher, equal] = [await keyWithLimit(11), await keyWithLimit(10)];
  for (const act of acts) {
    expect((await act(higher.id)).status).toBe(403);
    expect((await act(caller.id)).status).toBe(403);
    expect((await act(equal.id)).status).toBeLessThan(300);
  }
});

test('a limit above the account’s counts like the account’s', async () => {
  const { id } = await keyWithLimit(perAccount + 1);
  const { token } = await keyWithLimit(perAccount);
  expect((await keys.as(token).change(id, { name: 'Still mine' })).status).toBe(200);
});

async function keyWithLimit(rateLimitPerMinute: number): Promise<TestKey> {
  const key = await account.key();
  await ctx.db.update(apiKeys).set({ rateLimitPerMinute }).where(eq(apiKeys.id, key.id));
  return key;
}
