import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { settings } from '../../db/schema/settings.ts';
import { analyzeGrownTables } from '../../db/hot-tables.ts';
import { createWriteProbe } from '../../db/write-probe.ts';
import { openTestDatabase } from '../databases/database.ts';
import { TestLog } from '../logger.ts';

/** What the service requires from a database, on either engine. */
export function describeDatabase(engine: OpenDatabase['engine']): void {
  const log = new TestLog();
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine, log.logger);
  });
  afterAll(async () => {
    await database.close();
    log.assertNoUnexpectedErrors();
  });

  describe(`a ${engine} database`, () => {
    test('responds, and reports its engine', async () => {
      await database.ping();
      expect(database.engine).toBe(engine);
    });

    test('keeps the writes of a transaction, and discards those of a failed one', async () => {
      const { db } = database;
      await db.transaction(async (tx) => {
        await tx.insert(settings).values({ name: 'kept', value: { a: 1 } });
      });
      const failing = db.transaction(async (tx) => {
        await tx.insert(settings).values({ name: 'lost', value: 1 });
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      const rows = await db.select().from(settings);
      expect(rows).toEqual([{ name: 'kept', value: { a: 1 } }]);
    });

    test('passes the write probe repeatedly', async () => {
      const probeWrite = createWriteProbe({ db: database.db, log: log.logger });
      for (const _ of [1, 2]) await probeWrite();
      const rows = await database.db.select().from(settings);
      expect(rows.filter(({ name }) => name === 'write_probe')).toHaveLength(1);
    });

    // A part of Node's shared buffer pool would keep all 64 KiB of it for as long as the row is
    // cached.
    test('reads bytes into their own memory', async () => {
      const { db } = database;
      await db.insert(settings).values({ name: 'for one row', value: 1 });
      const bytes = sql`decode('00ff10', 'hex')`.mapWith(apiKeyTokens.digest);
      const [row] = await db.select({ bytes }).from(settings).limit(1);
      expect(row?.bytes).toEqual(Buffer.from([0x00, 0xff, 0x10]));
      expect(row?.bytes.buffer.byteLength).toBe(3);
    });

    test('refuses a row that already exists', async () => {
      const row = { name: 'twice', value: 1 };
      await database.db.insert(settings).values(row);
      await expect(database.db.insert(settings).values(row)).rejects.toThrow();
    });
  });

  describe(`notifications on ${engine}`, () => {
    async function hear(channel: string): Promise<string[]> {
      const heard: string[] = [];
      database.notifier.subscribe(channel, (payload) => heard.push(payload));
      // On an engine with its own connection for it, listening begins a moment later.
      await expect
        .poll(async () => {
          await database.notifier.publish(channel, 'begin');
          return heard.length;
        })
        .toBeGreaterThan(0);
      await expect.poll(() => heard.splice(0).length).toBe(0);
      return heard;
    }

    test('arrive on their channel, in order, with any text', async () => {
      const heard = await hear('one_channel');
      const other = await hear('another_channel');
      for (const payload of ['1', 'grüße \'"', '']) {
        await database.notifier.publish('one_channel', payload);
      }
      await expect.poll(() => heard).toEqual(['1', 'grüße \'"', '']);
      expect(other).toEqual([]);
    });

    test('of a transaction arrive when it commits, and never when it fails', async () => {
      const { db, notifier } = database;
      const heard = await hear('commits');
      const notify = (payload: string) => sql`select pg_notify('commits', ${payload})`;

      await db.transaction(async (tx) => {
        await tx.execute(notify('committed'));
        expect(heard).toEqual([]);
      });
      await db
        .transaction(async (tx) => {
          await tx.execute(notify('failed'));
          throw new Error('no');
        })
        .catch(() => undefined);
      await notifier.publish('commits', 'end');
      await expect.poll(() => heard).toEqual(['committed', 'end']);
    });

    test('reach every subscriber of a channel', async () => {
      const [first, second] = [await hear('shared'), await hear('shared')];
      await expect.poll(() => first.splice(0).length).toBe(0);
      await database.notifier.publish('shared', 'x');
      await expect.poll(() => [...first, ...second]).toEqual(['x', 'x']);
    });
  });

  test('analyzes a table that has grown, once until it grows again', async () => {
    const { db, maintenanceDb } = database;
    await maintenanceDb.execute(sql`alter table conversations set (autovacuum_enabled = false)`);
    await db.execute(sql`insert into accounts (id, name, created_at)
      values ('00000000-0000-4000-8000-000000000001', 'Account', now())`);
    const open = (count: number) =>
      db.execute(sql`insert into conversations (account_id, subject, status, created_at)
        select id, 'Conversation', 'open', now() from accounts, generate_series(1, ${count}::int)`);
    await open(2000);
    const grown = () => analyzeGrownTables(database);
    // The database updates its count of rows after a statement, but at most once a second.
    await expect.poll(grown, { timeout: 30_000 }).toEqual(['conversations']);
    expect(await grown()).toEqual([]);
    const { rows } = await db.execute(
      sql`select reltuples from pg_class where oid = 'conversations'::regclass`,
    );
    expect(rows).toEqual([{ reltuples: 2000 }]);
    await open(3000);
    await expect.poll(grown, { timeout: 30_000 }).toEqual(['conversations']);
  }, 90_000);
}
