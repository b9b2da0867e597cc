import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import type { Environment } from '../config/environment.ts';
import { openBackup } from '../db/backup/backup-lines.ts';
import { writeBackup } from '../db/backup/write-backup.ts';
import type { Db } from '../db/open.ts';
import { openPostgres } from '../db/postgres/open-postgres.ts';
import { accounts } from '../db/schema/people/accounts.ts';
import { FakeClock } from '../testing/clock.ts';
import { countLockWaits } from '../testing/databases/count-lock-waits.ts';
import { createMigratedPostgres } from '../testing/databases/postgres-database.ts';
import { addAccountsToGrow } from '../testing/growth/grow-database.ts';
import { silentLog } from '../testing/logger.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

/** A server with rows, or an empty one. */
async function openServer() {
  const database = await createMigratedPostgres();
  const opened = await openPostgres({
    databaseUrl: database.url,
    migrationDatabaseUrl: database.url,
    log: silentLog,
  });
  onTestFinished(async () => {
    await opened.close();
    await database.drop();
  });
  return { db: opened.db, environment: { DATABASE_URL: database.url, SECRET_KEY } };
}

/** Kills a command while it waits for a table that another transaction has locked. */
async function killAtLock(
  db: Db,
  args: readonly string[],
  environment: Environment,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table audit_heads in access exclusive mode`);
    const child = spawn(process.execPath, ['scripts/admin.ts', ...args], {
      env: { NODE_ENV: 'production', PATH: process.env['PATH'], ...environment },
      stdio: 'ignore',
    });
    await expect.poll(() => countLockWaits({ db })).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
}

test('a backup and a restore that are killed leave nothing half done, and can be run again', async () => {
  const path = join(temporaryFolder(), 'night.backup');
  const source = await openServer();
  await addAccountsToGrow({ db: source.db, clock: new FakeClock() });
  await killAtLock(source.db, ['backup', path], source.environment);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}.unfinished`)).toBe(true);
  expect((await runAdmin(['backup', path], source.environment)).exitCode).toBe(0);
  expect(existsSync(`${path}.unfinished`)).toBe(false);

  const target = await openServer();
  await killAtLock(target.db, ['restore', path], target.environment);
  expect(await target.db.$count(accounts)).toBe(0);
  expect((await runAdmin(['restore', path], target.environment)).exitCode).toBe(0);
  expect(await target.db.$count(accounts)).toBe(1000);
});

test('of two backups to the same file, the later one is there, whole', async () => {
  const path = join(temporaryFolder(), 'twice.backup');
  const { db } = await openServer();
  await addAccountsToGrow({ db, clock: new FakeClock() });
  const begun: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table accounts in access exclusive mode`);
    for (const number of [1, 2]) {
      begun.push(writeBackup(db, path, new Date()).catch((error: unknown) => error));
      await expect.poll(() => countLockWaits({ db })).toBe(number);
    }
  });
  const [first, second] = await Promise.all(begun);
  expect(String(first)).toContain(`Another backup to ${path} began`);
  expect(second).toBeGreaterThanOrEqual(1000);
  await openBackup(path);
  expect(existsSync(`${path}.unfinished`)).toBe(false);
});
