import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPostgresDatabase } from '../../testing/databases/postgres-database.ts';
import { unnamed } from '../statements/prepared-once.ts';
import { addPreparedText } from '../statements/prepared-texts.ts';
import { batchReads } from './batch-reads.ts';

const divide = 'select 12 / $1::int as quotient';
const whichConnection = 'select pg_backend_pid() as pid, $1::int as number';
const endConnection = 'select pg_terminate_backend(pg_backend_pid()), $1::int as number';

let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
let pool: pg.Pool;
let readers: pg.Pool;
/** How often a batch took a connection from the readers. */
let batches: number;

beforeEach(async () => {
  database = await createPostgresDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  readers = new pg.Pool({ connectionString: database.url, max: 1, pipeline: true });
  batches = 0;
  readers.on('acquire', () => (batches += 1));
  readers.on('connect', (client) => client.on('error', () => undefined));
  readers.on('error', () => undefined);
  batchReads(pool, readers);
  for (const text of [divide, whichConnection, endConnection]) addPreparedText(text);
});
afterEach(async () => {
  await Promise.all([pool.end(), readers.end()]);
  await database.drop();
});

async function ask(text: string, number: unknown): Promise<unknown> {
  const { rows } = await pool.query({ text, name: unnamed }, [number]);
  return rows[0];
}

test('the reads of one turn share one connection, and each gets its own result', async () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const results = await Promise.all(numbers.map((number) => ask(whichConnection, number)));
  const [{ pid } = { pid: 0 }] = results as { pid: number }[];
  expect(results).toEqual(numbers.map((number) => ({ pid, number })));
  expect(batches).toBe(1);
});

test('reads that come while every reader is in use form the next batch', async () => {
  const first = ask(whichConnection, 1);
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const others = [2, 3, 4].map((number) => ask(whichConnection, number));
  expect(await Promise.all([first, ...others])).toMatchObject(
    [1, 2, 3, 4].map((number) => ({ number })),
  );
  expect(batches).toBe(2);
});

test('a read that fails, or has an invalid value, does not fail the others', async () => {
  const results = await Promise.allSettled([
    ask(divide, 3),
    ask(divide, 0),
    ask(divide, 'three'),
    ask(divide, 4),
  ]);
  expect(results).toMatchObject([
    { value: { quotient: 4 } },
    { reason: { code: '22012' } },
    { reason: { code: '22P02' } },
    { value: { quotient: 3 } },
  ]);
  expect(await ask(divide, 6)).toEqual({ quotient: 2 });
});

test('a connection that is lost fails its reads, and later reads get a new one', async () => {
  const lost = await Promise.allSettled([ask(endConnection, 1), ask(divide, 3)]);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask(divide, 3)).toEqual({ quotient: 4 });
});

test('if no connection can be opened, each read fails', async () => {
  await readers.end();
  const results = await Promise.allSettled([ask(divide, 3), ask(divide, 4)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  readers = new pg.Pool();
});

test('a statement not built by `preparedOnce` uses a connection of the pool', async () => {
  const { rows } = await pool.query({ text: 'select $1::int as number', name: unnamed }, [7]);
  expect(rows).toEqual([{ number: 7 }]);
  expect(batches).toBe(0);
});
