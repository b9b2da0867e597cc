import { describe, expect, test } from 'vitest';
import { newToken } from '../../../tokens/token.ts';
import { TestApi } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';
import { Slots } from '../../../concurrency/slots.ts';
import { refuseAsUnavailable } from '../../capacity/workload.ts';

const attacker = '198.51.100.7';
const neighbor = '203.0.113.7';

const { ctx, api, account } = useApi();

describe('300 earlier calls with unknown tokens do not delay', () => {
  test.each([
    ['with a token that was used a moment ago', 0, usedToken, attacker],
    [
      'with a token that was used longer ago, and has to be read again',
      60_000,
      usedToken,
      attacker,
    ],
    [
      'from another address with a token that was never used',
      0,
      async () => (await account.key()).token,
      neighbor,
    ],
  ])('a call %s', async (_what, passedMs, tokenOf, address) => {
    const token = await tokenOf();
    ctx.clock.advance(passedMs);
    let answered = 0;
    const flood = Array.from({ length: 300 }, async () => {
      await call(newToken(), attacker);
      answered += 1;
    });
    expect(await call(token, address)).toBe(200);
    expect(answered).toBeLessThan(100);
    await Promise.all(flood);
  });
});

describe('when too many look-ups wait for one address', () => {
  test('further calls from it are refused, but not those from other addresses or with known tokens', async () => {
    const lookUps = new Slots({
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

async function usedToken(): Promise<string> {
  const { token } = await account.key();
  for (let times = 0; times < 2; times += 1) expect(await call(token, neighbor)).toBe(200);
  return token;
}

async function call(token: string, address: string): Promise<number> {
  const headers = { 'x-client-address': address };
  return (await api.call('GET', '/api/v1/webhooks', { token, headers })).status;
}
