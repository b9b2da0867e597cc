import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { TestApi } from '../../testing/api.ts';
import type { TestAccount } from '../../testing/api.ts';
import { useContext } from '../../testing/use-api.ts';
import { Workload } from './workload.ts';

const ctx = useContext();
let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  const api = new TestApi(ctx);
  account = await api.account();
  other = await api.account();
});

test('calls without a key are not counted as in progress', async () => {
  const full = new TestApi({ ...ctx, workload: new Workload({ maxConcurrent: 0 }) });
  const list = async () =>
    await full.call('GET', '/api/v1/webhooks', { token: (await account.key()).token });
  expect((await full.call('GET', '/api/v1/openapi.json')).status).toBe(200);
  expect((await list()).status).toBe(503);
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
