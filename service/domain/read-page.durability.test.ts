import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../db/open.ts';
import type { Db } from '../db/open.ts';
import { accounts } from '../db/schema/people/accounts.ts';
import { events } from '../db/schema/webhooks/events.ts';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import { hasPostgresServer, startPostgresServer } from '../testing/databases/postgres-server.ts';
import { silentLog } from '../testing/logger.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { mintAccountId } from './account-id.ts';
import { eventsOf, listEventRows } from './event-log/store.ts';
import { readPage } from './read-page.ts';

const everything = {
  type: undefined,
  outcome: undefined,
  subject: undefined,
  since: undefined,
  until: undefined,
};

/** Where to open a database, and a crash after which it can be opened again. */
type Crashable = { config: Parameters<typeof openDatabase>[0]['config']; crash(): Promise<void> };

const none = { databaseUrl: null, migrationDatabaseUrl: null };

/** A crash leaves the files as they are at that moment: a copy of them is what the next start gets. */
async function useFolder(): Promise<Crashable> {
  const config = { ...none, dataDir: temporaryFolder() };
  await addMigratedDatabase(config.dataDir);
  return {
    config,
    async crash() {
      const { dataDir } = config;
      config.dataDir = temporaryFolder();
      cpSync(join(dataDir, 'pglite'), join(config.dataDir, 'pglite'), { recursive: true });
    },
  };
}

async function useServer(): Promise<Crashable> {
  const server = await startPostgresServer();
  onTestFinished(() => server.remove());
  return { config: { ...none, databaseUrl: server.url, dataDir: '' }, crash: () => server.crash() };
}

describe.each([
  { engine: 'the embedded database', use: useFolder, isHere: true },
  { engine: 'PostgreSQL', use: useServer, isHere: hasPostgresServer },
])('after a crash of $engine', ({ use, isHere }) => {
  test.runIf(isHere)(
    'a client that follows a list misses no row, although numbers of transactions are used again',
    async () => {
      const crashable = await use();
      const open = async () => {
        const database = await openDatabase({ config: crashable.config, log: silentLog });
        onTestFinished(() => database.close());
        return database.db;
      };
      let db = await open();
      const created = await db
        .insert(accounts)
        .values({ name: 'Acme', createdAt: new Date() })
        .returning();
      const accountId = mintAccountId(created[0]?.id ?? '');
      const add = async (to: Pick<Db, 'insert'> = db) => {
        const uuid = randomUUID();
        const event = { accountId, uuid, type: 'message.created', payload: '{}' } as const;
        await to.insert(events).values({ ...event, createdAt: new Date() });
        return uuid;
      };
      const follow = async (position: string) => {
        const page = {
          limit: 50,
          list: 'events',
          all: eventsOf(accountId),
          follow: position,
        } as const;
        const { rows, followCursor = '' } = await readPage(db, page, (at, limit) =>
          listEventRows(db, accountId, { ...everything, at, limit }),
        );
        return { uuids: rows.map(({ uuid }) => uuid), followCursor };
      };
      const start = await follow('now');
      const first = await add();
      for (let ended = 1; ended <= 10; ended += 1) {
        const undo = new Error('undo');
        const rolledBack = db.transaction(async (tx) => {
          await add(tx);
          throw undo;
        });
        await expect(rolledBack).rejects.toBe(undo);
        await db.execute(sql`
          with asynchronous as materialized (select set_config('synchronous_commit', 'off', true))
          update accounts set name = 'Renamed' from asynchronous where id = ${accountId}`);
      }
      const read = await follow(start.followCursor);
      expect(read.uuids).toEqual([first]);

      await crashable.crash();
      db = await open();
      const later: string[] = [];
      while (later.length < 30) later.push(await add());
      expect((await follow(read.followCursor)).uuids).toEqual(later);
      expect((await follow(start.followCursor)).uuids).toEqual([first, ...later]);
    },
    60_000,
  );
});
