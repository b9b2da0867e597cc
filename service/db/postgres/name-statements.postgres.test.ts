import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMigratedPostgres } from '../../testing/databases/postgres-database.ts';
import { TestLog } from '../../testing/logger.ts';
import { openDatabase } from '../open.ts';
import type { OpenDatabase, Tx } from '../open.ts';

const log = new TestLog();
let server: Awaited<ReturnType<typeof createMigratedPostgres>>;
let database: OpenDatabase;
beforeAll(async () => {
  server = await createMigratedPostgres();
});
afterEach(() => database.close());
afterAll(async () => {
  await server.drop();
  log.assertNoUnexpectedErrors();
});

async function open(databasePrepare?: boolean): Promise<void> {
  database = await openDatabase({
    config: {
      databaseUrl: server.url,
      migrationDatabaseUrl: null,
      dataDir: '',
      ...(databasePrepare !== undefined && { databasePrepare }),
    },
    log: log.logger,
  });
}

const double = (number: number) => sql`select ${number}::int * 2 as doubled`;

/** The statements that the connection of a transaction keeps prepared. */
async function preparedIn(tx: Tx): Promise<string[]> {
  const { rows } = await tx.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements`,
  );
  return rows.map(({ statement }) => statement);
}

describe('a connection', () => {
  test('keeps a statement prepared from its second use on, with the same results', async () => {
    await open();
    await database.db.transaction(async (tx) => {
      await tx.execute(double(1));
      expect(await preparedIn(tx)).toEqual([]);
      for (const number of [2, 3, 4, 5, 6, 7, 8]) {
        const { rows } = await tx.execute<{ doubled: number }>(double(number));
        expect(rows).toEqual([{ doubled: number * 2 }]);
      }
      expect(await preparedIn(tx)).toEqual(['select $1::int * 2 as doubled']);
    });
  });

  test('runs a statement again after it failed, or after its transaction had failed', async () => {
    await open();
    const divide = (by: number) => sql`select 12 / ${by}::int as result`;
    const { db } = database;
    await db.execute(divide(3));
    await expect(db.execute(divide(0))).rejects.toThrow();
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(double(1));
        await expect(tx.execute(divide(0))).rejects.toThrow();
        await expect(tx.execute(double(2))).rejects.toThrow();
        await tx.execute(double(3));
      }),
    ).rejects.toThrow();
    expect((await db.execute(divide(4))).rows).toEqual([{ result: 3 }]);
    expect((await db.execute(double(4))).rows).toEqual([{ doubled: 8 }]);
  });

  test('prepares nothing if DATABASE_PREPARE is off', async () => {
    await open(false);
    await database.db.transaction(async (tx) => {
      for (const number of [1, 2, 3]) await tx.execute(double(number));
      expect(await preparedIn(tx)).toEqual([]);
    });
  });

  test('keeps a limited number of statements prepared', async () => {
    await open();
    await database.db.transaction(async (tx) => {
      for (let number = 0; number < 320; number += 1) {
        const other = sql`select ${number}::int as ${sql.identifier(`n${number}`)}`;
        await tx.execute(other);
        await tx.execute(other);
      }
      expect(await preparedIn(tx)).toHaveLength(300);
    });
  });
});
