import type { PGlite } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryPglite } from '../../../testing/databases/memory-pglite.ts';
import { readResults } from './read-results.ts';

let pglite: PGlite;
beforeAll(async () => {
  pglite = await createMemoryPglite();
});
afterAll(() => pglite.close());

const ask = async (text: string) =>
  await pglite.execProtocolRaw(serialize.query(text), { syncToFs: false });
const ignore = () => undefined;

test('rows are read with their columns, and empty texts are distinguished from null', async () => {
  const bytes = await ask(
    `select number, 'ü🙂' || number as text, null as nothing, '' as empty, repeat('x', 300) as long
     from generate_series(1, 40) number`,
  );
  expect(bytes.length).toBeGreaterThan(8192);
  const { rows, columns, commandTag } = readResults(bytes, ignore);
  expect(columns.map(({ name }) => name)).toEqual(['number', 'text', 'nothing', 'empty', 'long']);
  expect(rows).toEqual(
    Array.from({ length: 40 }, (_, place) => [
      `${place + 1}`,
      `ü🙂${place + 1}`,
      null,
      '',
      'x'.repeat(300),
    ]),
  );
  expect(commandTag).toBe('SELECT 40');
});

test('an error after rows is thrown, and the next statement works', async () => {
  const failed = await ask('select 1 / (3 - number) from generate_series(1, 5) number');
  expect(() => readResults(failed, ignore)).toThrow('division by zero');
  expect(readResults(await ask('select 1'), ignore).rows).toEqual([['1']]);
});

test('notifications are passed on', async () => {
  await ask('listen things');
  const heard: string[][] = [];
  readResults(await ask(`notify things, 'one'; notify things, 'two'`), (channel, payload) => {
    heard.push([channel, payload]);
  });
  expect(heard).toEqual([
    ['things', 'one'],
    ['things', 'two'],
  ]);
});
