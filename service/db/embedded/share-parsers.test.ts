import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { shareParsers } from './share-parsers.ts';

let pglite: PGlite;
beforeAll(async () => {
  pglite = await createMemoryPglite();
});
afterAll(() => pglite.close());

test('parsers that each query brings along become the database’s own, in transactions as well', async () => {
  const sent: unknown[] = [];
  const query = pglite.query.bind(pglite);
  pglite.query = async (text, params, options) => {
    sent.push(options);
    return await query(text, params, options);
  };
  shareParsers(pglite);
  const db = drizzle(pglite);
  const time = sql`select '2026-11-22T12:00:00Z'::timestamptz as time, 1 as number`;
  const expected = [{ time: '2026-11-22 12:00:00+00', number: 1 }];

  expect((await db.transaction((tx) => tx.execute(time))).rows).toEqual(expected);
  expect((await db.execute(time)).rows).toEqual(expected);
  expect(sent).toEqual([{ rowMode: 'object' }]);
});
