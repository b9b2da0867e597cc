import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/open.ts';
import { newToken } from '../tokens/token.ts';
import { TestLog } from '../testing/logger.ts';
import { runEndingService, startService } from '../testing/processes/service-process.ts';
import { mountSmallDisk, needsMount } from '../testing/databases/small-disk.ts';
import type { SmallDisk } from '../testing/databases/small-disk.ts';
import { unrefTimers } from '../testing/processes/unref-timers.ts';

/** Long enough for a busy machine. */
const patience = { timeout: 60_000, interval: 100 };

describe('on a full disk', { timeout: 180_000 }, () => {
  const token = newToken();
  let mounted: SmallDisk | null;
  let disk: SmallDisk;
  let dataDir: string;
  beforeAll(() => {
    mounted = mountSmallDisk(100);
    if (mounted === null) return;
    disk = mounted;
    dataDir = join(disk.folder, 'data');
  });
  beforeEach(({ skip }) => {
    skip(mounted === null, needsMount);
    mounted?.free();
  });
  afterAll(() => mounted?.remove());

  const environment = () => ({
    DATA_DIR: dataDir,
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: newToken(),
    INIT_API_KEY: token,
  });

  async function expectRefusal(): Promise<void> {
    const { exitCode, output } = await runEndingService(environment());
    expect(exitCode).toBe(1);
    expect(output.trim()).toBe(
      `The disk that holds the data folder ${dataDir} is full (ENOSPC). Free some space on it, then try again.`,
    );
  }

  test('a first start explains the problem in one sentence, and leaves nothing behind', async () => {
    disk.fill();
    await expectRefusal();
    expect(readdirSync(dataDir)).toEqual([]);
    disk.free();
  });

  test('a service responds to writes with 503 and is not ready, until there is room again', async () => {
    const service = await startService(environment());
    const ask = (method: string, path: string) =>
      fetch(`${service.origin}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify({ subject: 'x'.repeat(100) }) }),
      });
    const write = () => ask('POST', '/api/v1/conversations');
    const ready = async () => await (await ask('GET', '/readyz')).text();
    try {
      expect((await write()).status).toBe(201);
      expect(await ready()).toBe('{"status":"ok"}');
      disk.fill();
      await expect.poll(ready, patience).toBe('{"status":"database does not accept writes"}');
      // Some writes still find free space in existing files.
      await expect.poll(async () => (await write()).status, patience).toBe(503);
      expect((await write()).headers.get('Retry-After')).toBe('2');
      expect((await ask('GET', '/api/v1/conversations')).status).toBe(200);
      disk.free();
      await expect.poll(ready, patience).toBe('{"status":"ok"}');
      expect((await write()).status).toBe(201);
    } finally {
      await service.kill();
    }
  });

  test('a later start explains the problem too, and the next one finds the folder unlocked', async () => {
    disk.fill();
    await expectRefusal();
    expect(readdirSync(dataDir).toSorted()).toEqual(['admin.sock', 'lock', 'pglite', 'secret-key']);
    disk.free();
    const database = await open();
    await database.close();
  });

  test('an embedded database that cannot write its log crashes: this is logged once, and later calls fail immediately', async () => {
    unrefTimers();
    const portsBefore = messagePorts();
    const database = await open();
    const crashes: Error[] = [];
    database.onCrash((cause) => crashes.push(cause));
    disk.fill();
    const cause = { code: '53100', message: expect.stringContaining('pg_wal') };
    const logMuch = async () => {
      for (;;) {
        await database.db.execute(
          sql`select pg_logical_emit_message(true, 'test', repeat('x', 1000000))`,
        );
      }
    };
    await expect(logMuch()).rejects.toMatchObject({ cause });
    expect(crashes).toMatchObject([cause]);
    await expect(database.ping()).rejects.toMatchObject(cause);
    await expect(database.db.transaction(async () => 1)).rejects.toMatchObject(cause);
    await expect(database.close()).rejects.toMatchObject(cause);
    // Its thread has ended, so that this process can end.
    expect(messagePorts()).toBe(portsBefore);
    expect(crashes).toHaveLength(1);

    disk.free();
    expect(readdirSync(dataDir)).not.toContain('lock');
    const again = await open();
    expect(await again.db.query.conversations.findMany()).not.toEqual([]);
    await again.close();
  });

  async function open() {
    const config = { databaseUrl: null, migrationDatabaseUrl: null, dataDir };
    return await openDatabase({ config, log: new TestLog().logger });
  }
});

function messagePorts(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}
