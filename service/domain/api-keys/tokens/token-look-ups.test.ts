import { describe, expect, test } from 'vitest';
import { newToken } from '../../../tokens/token.ts';
import { TestApi } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';
import { KeyedConcurrencyLimit } from '../../../concurrency/keyed-concurrency-limit.ts';
import { refuseAsUnavailable } from '../../capacity/workload.ts';

const attacker = '198.51.100.7';
const neighbor = '203.0.113.7';

const { ctx, api, account } = useApi();

describe('300 earlier calls with unknown tokens do not delay', () => {
  test('a call with a token that was used a moment ago', async () => {
    const token = await usedToken();
    expect(await answeredBefore(() => call(token, attacker))).toBeLessThan(100);
  });

  test('a call with a token that was used longer ago, and has to be read again', async () => {
    const token = await usedToken();
    ctx.clock.advance(60_000);
    expect(await answeredBefore(() => call(token, attacker))).toBeLessThan(100);
  });

  test('a call from another address with a token that was never used', async () => {
    const { token } = await account.key();
    expect(await answeredBefore(() => call(token, neighbor))).toBeLessThan(100);
  });
});

describe('when too many look-ups wait for one address', () => {
  test('further calls from it are refused, but not those from other addresses or with known tokens', async () => {
    const lookUps = new KeyedConcurrencyLimit({
      maxConcurrent: 1,
      maxQueuedPerKey: 2,
      refuse: refuseAsUnavailable,
    });
    const bounded = new TestApi({ ...ctx, tokenLookUps: lookUps });
    const known = await usedToken();
    const fresh = (await account.key()).token;
    const ask = async (token: string, address: string) =>
      await bounded.call('GET', '/api/v1/webhooks', {
        token,
        headers: { 'x-client-address': address },
      });
    const ofAttacker = Array.from({ length: 5 }, () => ask(newToken(), '198.51.100.8'));
    const others = await Promise.all([ask(fresh, neighbor), ask(known, '198.51.100.8')]);
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    const responses = await Promise.all(ofAttacker);
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 503, 503]);
    expect(responses[4]?.headers.get('Retry-After')).toBe('2');
    expect(responses[4]?.body).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
  });
});

/**
 * How many calls of a flood have got a response when a valid call that came after them gets its
 * own.
 */
async function answeredBefore(good: () => Promise<number>): Promise<number> {
  let answered = 0;
  const flood = Array.from({ length: 300 }, async () => {
    await call(newToken(), attacker);
    answered += 1;
  });
  expect(await good()).toBe(200);
  const before = answered;
  await Promise.all(flood);
  return before;
}

async function usedToken(): Promise<string> {
  const { token } = await account.key();
  for (let times = 0; times < 2; times += 1) expect(await call(token, neighbor)).toBe(200);
  return token;
}

async function call(token: string, address: string): Promise<number> {
  const headers = { 'x-client-address': address };
  return (await api.call('GET', '/api/v1/webhooks', { token, headers })).status;
}
