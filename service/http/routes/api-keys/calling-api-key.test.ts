import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { apiKeyTokens, tokenAddresses } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { confirmToken } from '../../../domain/api-keys/rotation/replace-unconfirmed-token.ts';
import { rotateApiKey } from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import { undoRotation } from '../../../domain/api-keys/rotation/undo-rotation.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { lastFour, statusOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestKey } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, owner, caller } = useApi({ accountFor: 'test' });
/** The calls of another key, which manages this one. */
const keys = new KeyCalls(caller);
let key: TestKey;

beforeEach(async () => {
  key = await account.key();
  // A notification of its first use evicts the key. From the second call on it comes from the
  // cache.
  await me();
  await me();
});

test('a key that was requested before is returned without the database', async () => {
  const unreachable = new Proxy(ctx.db, {
    get() {
      throw new Error('The database was asked.');
    },
  });
  const cached = new TestApi({ ...ctx, db: unreachable });
  ctx.clock.advance(4999);
  expect(await statusOf(cached, key.token)).toBe(200);
});

test.each<object>([
  { name: 'Renamed' },
  { tags: ['eu'] },
  { description: 'Checkout' },
  { expires_at: '2100-01-01T00:00:00.000+00:00' },
  { rate_limit_per_minute: 50 },
  { allowed_cidrs: ['203.0.113.0/24'] },
])('a change to %j is in the very next response', async (body) => {
  expect((await keys.change(key.id, body)).status).toBe(200);
  expect(dataOf(await me())).toMatchObject(body);
});

test('a rotation, and the end of its grace period, are in the very next response', async () => {
  const token = await keys.newToken(key.id);
  expect(tokensIn(await me())).toEqual([lastFour(token), key.lastFour]);
  expect(dataOf(await me())).toMatchObject({ status: 'rotating' });
  await keys.endPreviousToken(key.id);
  expect((await me()).status).toBe(401);
  expect(tokensIn(await me(token))).toEqual([lastFour(token)]);
});

test('a token whose grace period ends while the key is in the cache is no longer shown', async () => {
  const token = await keys.newToken(key.id, { grace_period_seconds: 2 });
  expect(tokensIn(await me(token))).toHaveLength(2);
  ctx.clock.advance(2000);
  const response = await me(token);
  expect(tokensIn(response)).toEqual([lastFour(token)]);
  expect(dataOf(response)).toMatchObject({ status: 'active', previous_token: null });
});

test('a token that a person confirms, or ends by undoing the rotation, has that state in the very next response', async () => {
  const apiKey = String(key.id);
  const shown = async () => {
    const { token } = await rotateApiKey(ctx, owner, { apiKey });
    expect(newestIn(await me())?.unconfirmed).not.toBeNull();
    return lastFour(token);
  };
  await undoRotation(ctx, owner, { apiKey, expected_last_four: await shown() });
  expect(newestIn(await me())).toMatchObject({ last_four: key.lastFour });
  const last = await shown();
  await confirmToken(ctx, owner, { apiKey, last_four: last });
  expect(newestIn(await me())).toMatchObject({ last_four: last, unconfirmed: null });
});

test('the last use of each token is shown before it is written, and after', async () => {
  const token = await keys.newToken(key.id);
  for (const address of ['203.0.113.8', '203.0.113.9']) {
    ctx.clock.advance(1000);
    const response = await key.get('/api/v1/api-key', { 'x-client-address': address });
    const used = { last_used_at: ctx.clock.apiTime(), last_used_ip: address };
    expect(dataOf<ApiKey>(response)).toMatchObject({ ...used, tokens: [{}, used] });
    ctx.clock.advance(1000);
    for (let time = 1; time <= 2; time += 1) {
      expect(dataOf<ApiKey>(await me(token)).tokens[1]).toMatchObject(used);
      await ctx.usage.flush();
    }
  }
});

test('a call that a rate limit refuses does not count as a use, and its address is not stored', async () => {
  const limited = await account.key();
  await keys.change(limited.id, { rate_limit_per_minute: 1 });
  const statuses: number[] = [];
  for (let host = 1; host <= 3; host += 1) {
    const headers = { 'x-client-address': `203.0.113.${host}` };
    statuses.push((await limited.get('/api/v1/api-key', headers)).status);
  }
  expect(statuses).toEqual([200, 429, 429]);
  await ctx.usage.flush();
  const kept = await ctx.db
    .select({ address: tokenAddresses.address })
    .from(tokenAddresses)
    .innerJoin(apiKeyTokens, eq(apiKeyTokens.id, tokenAddresses.tokenId))
    .where(eq(apiKeyTokens.apiKeyId, limited.id));
  expect(kept).toEqual([{ address: '203.0.113.1' }]);
});

function me(token = key.token): Promise<ApiResponse> {
  return api.as(token).get('/api/v1/api-key');
}

function tokensIn(response: ApiResponse): string[] {
  return dataOf<ApiKey>(response).tokens.map(({ last_four }) => last_four);
}

function newestIn(response: ApiResponse): ApiKeyToken | undefined {
  return dataOf<ApiKey>(response).tokens[0];
}
