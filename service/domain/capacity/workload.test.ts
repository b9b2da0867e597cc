import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { TestApi } from '../../testing/api.ts';
import type { TestAccount } from '../../testing/api.ts';
import { useContext } from '../../testing/use-api.ts';
import { Workload } from './workload.ts';

const ctx = useContext();
let api: TestApi;
let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  const workload = new Workload({ maxConcurrent: 3, maxPerAccount: 2 });
  api = new TestApi({ ...ctx, workload });
  account = await api.account();
  other = await api.account();
});

describe('concurrent calls', () => {
  test('above the limit of an account are refused at once, and the others get a response', async () => {
    const token = await usedToken(account);
    const responses = await Promise.all(times(5, () => list(token)));
    expect(statusesOf(responses)).toEqual([200, 200, 503, 503, 503]);
    const refused = responses.find(({ status }) => status === 503);
    expect(refused?.headers.get('Retry-After')).toBe('2');
    expect(refused?.headers.get('RateLimit')).not.toBeNull();
    expect(refused?.body).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
    expect((await list(token)).status).toBe(200);
  });

  test('of one account leave room for those of another', async () => {
    const tokens = [await usedToken(account), await usedToken(other)];
    const [many, few] = await Promise.all([
      Promise.all(times(5, () => list(tokens[0] ?? ''))),
      Promise.all(times(2, () => list(tokens[1] ?? ''))),
    ]);
    expect(statusesOf(many).filter((status) => status === 200)).toHaveLength(2);
    expect(statusesOf(few)).toEqual([200, 503]);
  });

  test('never prevent a key from being revoked', async () => {
    const token = await usedToken(account);
    const leaked = await account.key();
    const [revoked, ...responses] = await Promise.all([
      api.call('DELETE', `/api/v1/api-keys/${leaked.id}`, { token }),
      ...times(5, () => list(token)),
    ]);
    expect(revoked.status).toBe(204);
    expect(statusesOf(responses)).toContain(503);
  });

  test('without a key are not counted', async () => {
    const workload = new Workload({ maxConcurrent: 0, maxPerAccount: 0 });
    const full = new TestApi({ ...ctx, workload });
    expect((await full.call('GET', '/api/v1/openapi.json')).status).toBe(200);
    const token = await usedToken(account);
    expect((await full.call('GET', '/api/v1/webhooks', { token })).status).toBe(503);
  });
});

test('calls begin in limited numbers in each turn of the event loop while many are in progress, and accounts take turns', async () => {
  const workload = new Workload({ maxPerTurn: 2 });
  const begun: string[] = [];
  const begin = (of: TestAccount, name: string) =>
    workload.run(of.id, async () => void begun.push(name));
  const all = [
    ...['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'].map((name) => begin(account, name)),
    ...['b1', 'b2'].map((name) => begin(other, name)),
  ];
  const seen: string[][] = [];
  while (begun.length < all.length) {
    seen.push([...begun]);
    await nextTurn();
  }
  await Promise.all(all);
  const atOnce = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
  expect(seen).toEqual([atOnce, [...atOnce, 'a7', 'b1']]);
  expect(begun).toEqual([...atOnce, 'a7', 'b1', 'a8', 'b2']);
});

test('work that fails no longer counts as in progress', async () => {
  const workload = new Workload({ maxConcurrent: 1, maxPerAccount: 1 });
  const failing = () => workload.run(account.id, () => Promise.reject(new Error('broken')));
  await expect(failing()).rejects.toThrow('broken');
  await expect(failing()).rejects.toThrow('broken');
});

/** The token of a key that was used before, so that only the call itself queries the database. */
async function usedToken(of: TestAccount): Promise<string> {
  const { token } = await of.key();
  for (let call = 1; call <= 2; call += 1) await list(token);
  return token;
}

function list(token: string) {
  return api.call('GET', '/api/v1/webhooks', { token });
}

function times<Result>(count: number, act: () => Promise<Result>): Promise<Result>[] {
  return Array.from({ length: count }, act);
}

function statusesOf(responses: readonly { status: number }[]): number[] {
  return responses.map(({ status }) => status).toSorted((a, b) => a - b);
}
