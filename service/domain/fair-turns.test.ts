import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** What begins in which order, where each piece of work has its name’s first letter as name. */
async function orderOf(turns: FairTurns, names: readonly string[]): Promise<string[]> {
  const order: string[] = [];
  const run = (name: string) => turns.run(name.charAt(0), async () => void order.push(name));
  await Promise.all(names.map(run));
  return order;
}

test('those for whom others wait take turns', async () => {
  const turns = new FairTurns({ mostAtOnce: 1, mostOfOne: 1, mostWaitingOfOne: 9 });
  const order = await orderOf(turns, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('one for whom much hangs leaves room for another', async () => {
  const turns = new FairTurns({ mostAtOnce: 3, mostOfOne: 2, mostWaitingOfOne: 9 });
  const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const ofOne = Array.from({ length: 5 }, () =>
    turns.run('a', async () => {
      begun += 1;
      await hanging;
    }),
  );
  expect(await orderOf(turns, ['b1', 'b2', 'c1'])).toEqual(['b1', 'b2', 'c1']);
  expect(begun).toBe(2);
  release();
  await Promise.all(ofOne);
  expect(begun).toBe(5);
});

test('work that fails makes room for the next', async () => {
  const turns = new FairTurns({ mostAtOnce: 1, mostOfOne: 1, mostWaitingOfOne: 1 });
  const fail = () => turns.run('a', () => Promise.reject(new Error('away')));
  const both = await Promise.allSettled([fail(), fail()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(turns.run('a', async () => 'found')).resolves.toBe('found');
});
