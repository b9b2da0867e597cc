import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { mostPrepared, prepareStatements } from './prepare-statements.ts';

let pglite: PGlite;
/** What PGlite does without any of this. */
let queryPlainly: PGlite['query'];
let sent = 0;

beforeAll(async () => {
  pglite = await createMemoryPglite();
  queryPlainly = pglite.query.bind(pglite);
  const send = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (...args) => {
    sent += 1;
    return await send(...args);
  };
  prepareStatements(pglite);
  await pglite.exec('create table things (id int primary key, name text)');
});
afterAll(() => pglite.close());
beforeEach(async () => {
  await pglite.exec('delete from things');
  sent = 0;
});

const insert = 'insert into things (id, name) values ($1, $2) returning name';

test('a statement that was asked before takes one message', async () => {
  expect((await pglite.query(insert, [1, 'one'])).rows).toEqual([{ name: 'one' }]);
  expect(sent).toBe(2);
  expect((await pglite.query(insert, [2, 'two'])).rows).toEqual([{ name: 'two' }]);
  expect(sent).toBe(3);
});

test('results are those of PGlite itself, in objects and in arrays', async () => {
  const text = `select $1::int as int, $2::bigint as bigint, $3::text as text, $4::bool as bool,
    $5::bytea as bytea, $6::jsonb as json, $7::int[] as ints, $8::text[] as texts,
    $9::timestamptz as time, $10::uuid as uuid, $11::text as nothing, 1.5::numeric as numeric
    from generate_series(1, 2)`;
  const params = [
    1,
    2n ** 60n,
    'a "quoted" \\ ü 🙂',
    true,
    Buffer.from([0, 1, 255]),
    { a: [1, null] },
    [1, 2],
    ['a,b', '{', '"'],
    '2026-11-22T12:00:00.123Z',
    '0190a7a4-0000-7000-8000-000000000000',
    null,
  ];
  for (const rowMode of ['object', 'array'] as const) {
    const expected = await queryPlainly(text, params, { rowMode });
    const { rows, fields } = await pglite.query(text, params, { rowMode });
    expect(rows).toEqual(expected.rows);
    expect(fields).toEqual(expected.fields);
  }
});

test('the parsers that drizzle brings along count, in transactions as well', async () => {
  const db = drizzle(pglite);
  const time = sql`select '2026-11-22T12:00:00Z'::timestamptz as time, 1 as number`;
  const expected = [{ time: '2026-11-22 12:00:00+00', number: 1 }];
  expect((await db.transaction((tx) => tx.execute(time))).rows).toEqual(expected);
  expect((await db.execute(time)).rows).toEqual(expected);
});

test('the number of rows that a statement wrote is given', async () => {
  await pglite.query(insert, [1, 'one']);
  await pglite.query(insert, [2, 'two']);
  expect(await pglite.query('update things set name = $1', ['x'])).toMatchObject({
    affectedRows: 2,
    rows: [],
  });
  expect(await pglite.query('delete from things where id = $1', [1])).toMatchObject({
    affectedRows: 1,
  });
});

describe('a statement that fails', () => {
  test('says why, and runs the next time', async () => {
    await pglite.query(insert, [1, 'one']);
    await expect(pglite.query(insert, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
    expect((await pglite.query(insert, [2, 'two'])).rows).toEqual([{ name: 'two' }]);
  });

  test('because it cannot be parsed says so each time, and others go on', async () => {
    for (const _ of [1, 2]) {
      await expect(pglite.query('select nothing_such')).rejects.toMatchObject({ code: '42703' });
    }
    expect((await pglite.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('because of its values says so, and others go on', async () => {
    const text = 'select $1::int as int';
    await expect(pglite.query(text, ['x'])).rejects.toMatchObject({ code: '22P02' });
    expect((await pglite.query(text, [7])).rows).toEqual([{ int: 7 }]);
  });

  test('rolls its transaction back, and statements first seen there can be used after it', async () => {
    const text = 'select count(*)::int as things from things where id > $1';
    const failing = pglite.transaction(async (tx) => {
      await tx.query(insert, [1, 'one']);
      expect((await tx.query(text, [0])).rows).toEqual([{ things: 1 }]);
      await tx.query(insert, [1, 'again']);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect((await pglite.query(text, [0])).rows).toEqual([{ things: 0 }]);
  });

  test('can be rolled back to a savepoint', async () => {
    await pglite.transaction(async (tx) => {
      await tx.query(insert, [1, 'one']);
      await tx.query('savepoint before');
      await expect(tx.query(insert, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
      await tx.query('rollback to savepoint before');
      await tx.query(insert, [2, 'two']);
    });
    expect((await pglite.query('select id from things order by id')).rows).toHaveLength(2);
  });
});

test('a transaction that has ended takes no statement', async () => {
  const tx = await pglite.transaction(async (open) => open);
  await expect(tx.query('select 1')).rejects.toThrow('The transaction has ended.');
});

test('no more than a limit stay prepared: those that were used last', async () => {
  const prepared = async () => {
    const { rows } = await queryPlainly<{ statement: string }>(
      'select statement from pg_prepared_statements',
    );
    return rows.map(({ statement }) => statement);
  };
  for (let number = 0; number < mostPrepared + 20; number += 1) {
    await pglite.query(`select ${number} as number`);
    await pglite.query('select 0 as number');
  }
  await pglite.query(`select 'long' as text /* ${'x'.repeat(8000)} */`);
  const texts = await prepared();
  expect(texts.length).toBeLessThanOrEqual(mostPrepared);
  expect(texts).toContain('select 0 as number');
  expect(texts).toContain(`select ${mostPrepared + 19} as number`);
  expect(texts).not.toContain('select 1 as number');
  expect(texts.some((text) => text.includes('xxxx'))).toBe(false);
  expect((await pglite.query('select 1 as number')).rows).toEqual([{ number: 1 }]);
});
