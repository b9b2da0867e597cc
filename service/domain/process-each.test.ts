import { expect, test } from 'vitest';
import { TestLog } from '../testing/logger.ts';
import { processEach } from './process-each.ts';

const away = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const broken = () => new Error('this item is broken');

/** Acts on a list of items, each of which throws its error, if it has one. */
async function actOn(errors: readonly (Error | null)[]) {
  const log = new TestLog();
  const tried: number[] = [];
  await processEach(errors, {
    async act(error) {
      tried.push(tried.length);
      if (error) throw error;
    },
    log: log.logger,
    failure: 'an item failed',
    name: () => ({ item: tried.length - 1 }),
  });
  return { tried, logged: log.entries.map(({ msg, item }) => ({ msg, item })) };
}

test('items after one that fails are acted on, and the failure is logged with its name', async () => {
  expect(await actOn([null, broken(), broken(), broken(), null])).toEqual({
    tried: [0, 1, 2, 3, 4],
    logged: [1, 2, 3].map((item) => ({ msg: 'an item failed', item })),
  });
});

test('an item that meets a temporary error alone does not hold up the others', async () => {
  expect((await actOn([away(), null, away(), broken(), away(), null])).tried).toHaveLength(6);
});

test('while the database is away, two items are tried and the rest wait for the next run', async () => {
  const errors = Array.from({ length: 500 }, away);
  expect((await actOn([null, ...errors])).tried).toEqual([0, 1, 2]);
});
