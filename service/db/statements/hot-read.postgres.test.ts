import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { desc, eq, getTableColumns, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listenOnLoopback } from '#lib/testing/loopback.ts';
import { TestApi } from '../../testing/api.ts';
import { createPostgresDatabase } from '../../testing/databases/postgres-database.ts';
import { useContext } from '../../testing/use-api.ts';
import { apiKeyTokens } from '../schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../schema/api-keys/api-keys.ts';
import { GatheringSocket, batchReads, hotRead } from './hot-read.ts';
import type { ReadRows } from './hot-read.ts';

/** Times, bytes, arrays, JSON and nulls, from two tables, and an expression. */
const columns = {
  token: getTableColumns(apiKeyTokens),
  key: getTableColumns(apiKeys),
  nameLength: sql<number>`length(${apiKeys.name})`,
};
const keysOfAccount = hotRead(columns, (select) =>
  select
    .from(apiKeys)
    .innerJoin(apiKeyTokens, eq(apiKeyTokens.apiKeyId, apiKeys.id))
    .where(eq(apiKeys.accountId, sql.placeholder('accountId')))
    .orderBy(desc(apiKeys.id)),
);

describe.each(['pglite', 'postgresql'] as const)('a hot read on %s', (engine) => {
  const ctx = useContext({ engine });
  let accountId: string;
  beforeAll(async () => {
    const account = await new TestApi(ctx).account();
    accountId = account.id;
    await account.key({ name: 'From one network', allowedCidrs: ['192.0.2.0/24'] });
    await account.key({ name: 'Limited', scopes: ['messages:write'] });
  });

  test('reads the same rows as the query builder', async () => {
    expect(ctx.db.readRows).toBeDefined();
    const rows = await keysOfAccount(ctx.db, { accountId });
    expect(rows.map(({ key, nameLength }) => [key.name, nameLength])).toEqual([
      ['Limited', 7],
      ['From one network', 16],
    ]);
    expect(rows).toEqual(
      await ctx.db
        .select(columns)
        .from(apiKeys)
        .innerJoin(apiKeyTokens, eq(apiKeyTokens.apiKeyId, apiKeys.id))
        .where(eq(apiKeys.accountId, accountId))
        .orderBy(desc(apiKeys.id)),
    );
  });

  test('in a transaction, reads what the transaction wrote', async () => {
    await ctx.db.transaction(async (tx) => {
      await tx.update(apiKeys).set({ name: 'Renamed' }).where(eq(apiKeys.accountId, accountId));
      const rows = await keysOfAccount(tx, { accountId });
      expect(rows.map(({ key }) => key.name)).toEqual(['Renamed', 'Renamed']);
      await tx.update(apiKeys).set({ name: 'Limited' }).where(eq(apiKeys.accountId, accountId));
    });
  });
});

describe('reads in batches', () => {
  const divide = 'select 12 / $1::int as quotient';
  const whichConnection = 'select pg_backend_pid() as pid, $1::int as number';
  const endConnection = 'select pg_terminate_backend(pg_backend_pid()), $1::int as number';

  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let readers: pg.Pool;
  let read: ReadRows;
  /** How often a batch took a connection from the readers. */
  let batches: number;
  beforeEach(async () => {
    database = await createPostgresDatabase();
    readers = new pg.Pool({
      connectionString: database.url,
      max: 1,
      pipeline: true,
      stream: () => new GatheringSocket(),
    });
    batches = 0;
    readers.on('acquire', () => (batches += 1));
    readers.on('connect', (client) => client.on('error', () => undefined));
    readers.on('error', () => undefined);
    read = batchReads(readers);
  });
  afterEach(async () => {
    if (!readers.ended) await readers.end();
    await database.drop();
  });

  test('the reads of one turn share one connection, and each gets its own result', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(numbers.map((number) => read(whichConnection, [number])));
    const pid = results[0]?.[0]?.[0];
    expect(pid).toEqual(expect.any(Number));
    expect(results).toEqual(numbers.map((number) => [[pid, number]]));
    expect(batches).toBe(1);
  });

  test('reads that come while every reader is in use form the next batch', async () => {
    const first = read(whichConnection, [1]);
    await once(readers, 'acquire');
    await nextTurn();
    const others = [2, 3, 4].map((number) => read(whichConnection, [number]));
    expect(await Promise.all([first, ...others])).toMatchObject(
      [1, 2, 3, 4].map((number) => [[expect.any(Number), number]]),
    );
    expect(batches).toBe(2);
  });

  test('a read that fails, or has an invalid value, does not fail the others', async () => {
    const results = await Promise.allSettled([
      read(divide, [3]),
      read(divide, [0]),
      read(divide, ['three']),
      read(divide, [4]),
    ]);
    expect(results).toMatchObject([
      { value: [[4]] },
      { reason: { code: '22012' } },
      { reason: { code: '22P02' } },
      { value: [[3]] },
    ]);
    expect(await read(divide, [6])).toEqual([[2]]);
  });

  test('a connection that is lost fails its reads, and later reads get a new one', async () => {
    const lost = await Promise.allSettled([read(endConnection, [1]), read(divide, [3])]);
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read(divide, [3])).toEqual([[4]]);
  });

  test('if no connection can be opened, each read fails', async () => {
    await readers.end();
    const results = await Promise.allSettled([read(divide, [3]), read(divide, [4])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  test('the statements of one turn are sent together', async () => {
    const server = createServer();
    const socket = new GatheringSocket();
    socket.connect(await listenOnLoopback(server), '127.0.0.1');
    const [received] = (await once(server, 'connection')) as [Socket];
    for (const text of ['one', 'two', 'three']) {
      socket.cork();
      socket.write(text);
      socket.uncork();
    }
    const [data] = (await once(received, 'data')) as [Buffer];
    expect(String(data)).toBe('onetwothree');
    socket.destroy();
    server.close();
  });
});
