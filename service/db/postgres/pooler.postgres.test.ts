import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPostgresDatabase,
  queryPostgres,
} from '../../testing/databases/postgres-database.ts';
import { TestLog } from '../../testing/logger.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { withLockedClient } from './with-locked-client.ts';

const log = new TestLog();
let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
beforeAll(async () => {
  database = await createPostgresDatabase();
});
afterAll(async () => {
  await database.drop();
  log.assertNoUnexpectedErrors();
});

test('a start that waits for another process says so, and is in no transaction, so that it takes no connection of a pooler', async () => {
  const { url } = database;
  /** Of the process that waits, and of the connection on which the other one works. */
  const statesWithoutLock = async () => {
    const rows = await queryPostgres(
      url,
      `select state from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and pid not in (select pid from pg_locks where locktype = 'advisory' and granted)`,
    );
    return rows.map(({ state }) => state);
  };
  const waiting = new TestLog();
  const migrations: Promise<void>[] = [];
  const options = { url, setting: 'DATABASE_URL', lock: 'migrate', log: log.logger } as const;
  await withLockedClient(options, async () => {
    migrations.push(migratePostgres(url, { log: waiting.logger }));
    await expect
      .poll(() => waiting.entries.map(({ msg }) => msg))
      .toEqual(['waiting for another process that prepares the database']);
    await expect.poll(statesWithoutLock).toEqual(['idle', 'idle']);
  });
  await Promise.all(migrations);
});

test('the lock of a start ends with its transaction, so that no connection of a pooler keeps it', async () => {
  const { url } = database;
  await withLockedClient(
    { url, setting: 'DATABASE_URL', lock: 'migrate', log: log.logger },
    async () => {
      const rows = await queryPostgres(
        url,
        `select state from pg_stat_activity where datname = current_database()
           and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`,
      );
      expect(rows).toEqual([{ state: 'idle in transaction' }]);
    },
  );
});
