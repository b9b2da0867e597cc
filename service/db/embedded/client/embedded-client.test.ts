import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryPglite } from '../../../testing/databases/memory-pglite.ts';
import { connectDirectly } from '../../../testing/databases/adopt-pglite.ts';
import { EmbeddedClient } from './embedded-client.ts';
import { maxPreparedStatements, maxPreparedTextLength } from '../../statements/prepared-limits.ts';

let pglite: PGlite;
let client: EmbeddedClient;
let sent = 0;

beforeAll(async () => {
  pglite = await createMemoryPglite();
  const { send } = connectDirectly(pglite);
  client = new EmbeddedClient(async (message) => {
    sent += 1;
    return await send(message);
  }, pglite);
  await pglite.exec('create table things (id int primary key, name text)');
});
afterAll(() => pglite.close());
beforeEach(async () => {
  await pglite.exec('delete from things');
  sent = 0;
});

const insert = 'insert into things (id, name) values ($1, $2) returning name';

test('a statement that is already prepared takes one message', async () => {
  expect((await client.query(insert, [1, 'one'])).rows).toEqual([{ name: 'one' }]);
  expect(sent).toBe(2);
  expect((await client.query(insert, [2, 'two'])).rows).toEqual([{ name: 'two' }]);
  expect(sent).toBe(3);
});

test('results are the same as those of PGlite, in objects and in arrays', async () => {
  const text = `select $1::int as int, $2::bigint as bigint, $3::text as text, $4::bool as bool,
    $5::bytea as bytea, $6::jsonb as json, $7::int[] as ints, $8::text[] as texts,
    $9::timestamptz as time, $10::uuid as uuid, $11::text as nothing, $12::text as empty,
    1.5::numeric as numeric, repeat('ü', 4000 * number) as long from generate_series(1, 2) as number`;
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
    '',
  ];
  for (const rowMode of ['object', 'array'] as const) {
    const expected = await pglite.query(text, params, { rowMode });
    const { rows, fields } = await client.query(text, params, { rowMode });
    expect(rows).toEqual(expected.rows);
    expect(fields).toEqual(expected.fields);
  }
});

test('the parsers that drizzle passes are used, in transactions as well', async () => {
  const db = drizzle(client.asPglite());
  const time = sql`select '2026-11-22T12:00:00Z'::timestamptz as time, 1 as number`;
  const expected = [{ time: '2026-11-22 12:00:00+00', number: 1 }];
  expect((await db.transaction((tx) => tx.execute(time))).rows).toEqual(expected);
  expect((await db.execute(time)).rows).toEqual(expected);
});

test('the result has the number of rows that a statement wrote', async () => {
  await client.query(insert, [1, 'one']);
  await client.query(insert, [2, 'two']);
  expect(await client.query('update things set name = $1', ['x'])).toMatchObject({
    affectedRows: 2,
    rows: [],
  });
  expect(await client.query('delete from things where id = $1', [1])).toMatchObject({
    affectedRows: 1,
  });
});

describe('a statement that fails', () => {
  test('reports its error, and works the next time', async () => {
    await client.query(insert, [1, 'one']);
    await expect(client.query(insert, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
    expect((await client.query(insert, [2, 'two'])).rows).toEqual([{ name: 'two' }]);
  });

  test('because it cannot be parsed reports that each time, and other statements work', async () => {
    for (const _ of [1, 2]) {
      await expect(client.query('select nothing_such')).rejects.toMatchObject({ code: '42703' });
    }
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('because of its values reports that, and other statements work', async () => {
    const text = 'select $1::int as int';
    await expect(client.query(text, ['x'])).rejects.toMatchObject({ code: '22P02' });
    expect((await client.query(text, [7])).rows).toEqual([{ int: 7 }]);
  });

  test('after its first rows reports that, and other statements work', async () => {
    const text = 'select 1 / (3 - number) from generate_series(1, 5) as number';
    await expect(client.query(text)).rejects.toMatchObject({ code: '22012' });
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('rolls its transaction back, and statements first prepared there can still be used', async () => {
    const text = 'select count(*)::int as things from things where id > $1';
    const failing = client.transaction(async (tx) => {
      await tx.query(insert, [1, 'one']);
      expect((await tx.query(text, [0])).rows).toEqual([{ things: 1 }]);
      await tx.query(insert, [1, 'again']);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect((await client.query(text, [0])).rows).toEqual([{ things: 0 }]);
  });

  test('rolls back the statements that its transaction ran at the same time', async () => {
    await client.query(insert, [1, 'one']);
    const failing = client.transaction(
      async (tx) => await Promise.all([1, 2, 3, 4].map((id) => tx.query(insert, [id, 'more']))),
    );
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect((await client.query('select id from things')).rows).toEqual([{ id: 1 }]);
  });

  test('can be rolled back to a savepoint', async () => {
    await client.transaction(async (tx) => {
      await tx.query(insert, [1, 'one']);
      await tx.query('savepoint before');
      await expect(tx.query(insert, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
      await tx.query('rollback to savepoint before');
      await tx.query(insert, [2, 'two']);
    });
    expect((await client.query('select id from things order by id')).rows).toHaveLength(2);
  });
});

test('a transaction begins with its first statement, and one that fails before that sends nothing', async () => {
  await client.query(insert, [1, 'one']);
  sent = 0;
  await client.transaction(async (tx) => await tx.query(insert, [2, 'two']));
  expect(sent).toBe(2);
  await expect(
    client.transaction(async () => {
      throw new Error('before any statement');
    }),
  ).rejects.toThrow('before any statement');
  expect(sent).toBe(2);
  expect((await client.query('select id from things order by id')).rows).toHaveLength(2);
});

test('statements that a transaction runs at the same time do not affect each other', async () => {
  const long = (number: number) =>
    `select ${number} as number /* ${'x'.repeat(maxPreparedTextLength)} */`;
  const [first, second, ...same] = await client.transaction(
    async (tx) =>
      await Promise.all(
        [long(1), long(2), insert, insert].map((text, place) =>
          tx.query(text, text === insert ? [place, `${place}`] : []),
        ),
      ),
  );
  expect(first?.rows).toEqual([{ number: 1 }]);
  expect(second?.rows).toEqual([{ number: 2 }]);
  expect(same.map(({ rows }) => rows)).toEqual([[{ name: '2' }], [{ name: '3' }]]);
});

test('a transaction ends after all its statements, even those that nobody awaits', async () => {
  const unawaited: Promise<unknown>[] = [];
  const failing = client.transaction(async (tx) => {
    await tx.query(insert, [1, 'one']);
    unawaited.push(...[2, 3].map((id) => tx.query(insert, [id, 'more'])));
    throw new Error('meanwhile');
  });
  await expect(failing).rejects.toThrow('meanwhile');
  await Promise.all(unawaited);
  expect((await client.query('select id from things')).rows).toEqual([]);
});

test('a transaction that has ended accepts no statement', async () => {
  const tx = await client.transaction(async (open) => open);
  await expect(tx.query('select 1')).rejects.toThrow('The transaction has ended.');
});

test('a limited number of statements stays prepared: those that were used last', async () => {
  const prepared = async () => {
    const { rows } = await pglite.query<{ statement: string }>(
      'select statement from pg_prepared_statements',
    );
    return rows.map(({ statement }) => statement);
  };
  for (let number = 0; number < maxPreparedStatements + 20; number += 1) {
    await client.query(`select ${number} as number`);
    await client.query('select 0 as number');
  }
  await client.query(`select 'long' as text /* ${'x'.repeat(maxPreparedTextLength)} */`);
  const texts = await prepared();
  expect(texts.length).toBeLessThanOrEqual(maxPreparedStatements);
  expect(texts).toContain('select 0 as number');
  expect(texts).toContain(`select ${maxPreparedStatements + 19} as number`);
  expect(texts).not.toContain('select 1 as number');
  expect(texts.some((text) => text.includes('xxxx'))).toBe(false);
  expect((await client.query('select 1 as number')).rows).toEqual([{ number: 1 }]);
});

describe('the one connection', () => {
  test('is sent statements before earlier ones have their results', async () => {
    const { send } = connectDirectly(pglite);
    let mayRespond = Promise.resolve();
    let messages = 0;
    const eager = new EmbeddedClient(async (message) => {
      messages += 1;
      const result = await send(message);
      await mayRespond;
      return result;
    }, pglite);
    await eager.query('select 1 as one');
    messages = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    mayRespond = promise;
    const both = [eager.query('select 1 as one'), eager.query('select 1 as one')];
    expect(messages).toBe(2);
    resolve();
    for (const { rows } of await Promise.all(both)) expect(rows).toEqual([{ one: 1 }]);
  });

  test('belongs to one transaction until that has ended; others follow in the order of their calls', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const ended: string[] = [];
    const note = (what: string) => () => ended.push(what);
    const first = client
      .transaction(async (tx) => {
        await tx.query(insert, [1, 'first']);
        await mayEnd;
      })
      .then(note('first'));
    const others = [
      client.query('update things set name = name').then(note('statement')),
      client
        .transaction(async (tx) => await tx.query('delete from things where id = 1'))
        .then(note('second')),
    ];
    end();
    await Promise.all([first, ...others]);
    expect(ended).toEqual(['first', 'statement', 'second']);
  });
});
