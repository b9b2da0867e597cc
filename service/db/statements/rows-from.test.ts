import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { rowsFrom } from './rows-from.ts';

let pglite: PGlite;
beforeAll(async () => {
  pglite = await createMemoryPglite();
});
afterAll(() => pglite.close());

const columns = {
  number: 'int',
  text: 'text',
  is_open: 'boolean',
  at: 'timestamptz',
  digest: 'bytea',
  ids: 'bigint[]',
  headers: 'jsonb',
};
type Row = Parameters<typeof rowsFrom<keyof typeof columns>>[0][number];

async function read(list: readonly Row[]): Promise<unknown[]> {
  const { rows } = await drizzle(pglite).execute(
    sql`select * from ${rowsFrom(list, columns)} as list`,
  );
  return rows;
}

test('each row of a list arrives in its place, with the values of its columns', async () => {
  const at = new Date('2026-11-26T12:00:00.123Z');
  const list = [
    {
      number: 1,
      text: 'a "quoted", {braced}\n\\ text 🌍',
      is_open: true,
      at,
      digest: Buffer.from([0, 255]),
      ids: [1, 2 ** 53 - 1],
      headers: { 'content-type': 'text/plain; "x"', age: null },
    },
    { number: -2, text: 'null', is_open: false, at, digest: Buffer.of(), ids: [], headers: {} },
    {
      number: 3,
      text: '',
      is_open: true,
      at,
      digest: Buffer.from('x'),
      ids: [3],
      headers: { list: [1] },
    },
  ];
  expect(await read(list)).toEqual(
    list.map((row) => ({ ...row, at: expect.anything(), digest: new Uint8Array(row.digest) })),
  );
  expect(
    (
      await drizzle(pglite).execute(sql`select at = ${at.toISOString()}::timestamptz as is_same
      from ${rowsFrom(list, columns)} as list`)
    ).rows,
  ).toEqual([{ is_same: true }, { is_same: true }, { is_same: true }]);
});

test('null is null in a column of any type', async () => {
  const nothing = {
    number: null,
    text: null,
    is_open: null,
    at: null,
    digest: null,
    ids: null,
    headers: null,
  };
  expect(await read([nothing, nothing])).toEqual([nothing, nothing]);
});

test('an empty list has no rows', async () => {
  expect(await read([])).toEqual([]);
});
