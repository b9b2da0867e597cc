import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestApi, detailsOf } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';

let ctx: TestContext;
let api: TestApi;
let token: string;
let webhook: number;

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  const account = await api.account();
  ({ token } = await account.key());
  webhook = (await account.webhook()).id;
});
afterAll(async () => {
  await ctx.dispose();
});

describe.each([
  ['in the year 0', '0000-06-01T00:00:00Z'],
  ['in the year 0 of UTC', '0001-01-01T00:00:00+14:00'],
  ['in the year 10000 of UTC', '9999-12-31T23:59:59-12:00'],
  ['in the year 10000', '10000-01-01T00:00:00Z'],
  ['in the year 10000, as JavaScript writes it', '+010000-01-01T00:00:00.000Z'],
  ['before the year 0', '-000001-12-31T00:00:00.000Z'],
])('a time %s', (_, time) => {
  const advice = ['Use a date from the year 0001 to the year 9999, in UTC.'];

  test('is no end for a key', async () => {
    const body = { name: 'Key', type: 'full', expires_at: time };
    const answer = await api.call('POST', '/api/v1/api-keys', { token, body });
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual({ expires_at: advice });
  });

  test('is no beginning of a replay', async () => {
    const body = { since: time, status: 'all' };
    const answer = await api.call('POST', `/api/v1/webhooks/${webhook}/replays`, { token, body });
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual({ since: advice });
  });

  test('is no filter of deliveries', async () => {
    const query = new URLSearchParams({ since: time, until: time });
    const answer = await api.call('GET', `/api/v1/webhooks/${webhook}/deliveries?${query}`, {
      token,
    });
    expect(answer.status).toBe(422);
    expect(detailsOf(answer)).toEqual({ since: advice, until: advice });
  });
});
