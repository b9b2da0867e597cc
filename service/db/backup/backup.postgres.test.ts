import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../testing/clock.ts';
import { openTestDatabase } from '../../testing/databases/database.ts';
import { addAccountsToGrow, growDatabase } from '../../testing/growth/grow-database.ts';
import { silentLog } from '../../testing/logger.ts';
import { openRightsWorld } from '../../testing/rights/rights-world.ts';
import { useTemporaryFolder } from '../../testing/temporary-folder.ts';
import type { Db, OpenDatabase } from '../open.ts';
import { accounts } from '../schema/people/accounts.ts';
import { passwordResets } from '../schema/people/credentials.ts';
import { provisioners } from '../schema/people/provisioners.ts';
import { passkeyChallenges } from '../schema/people/second-factors.ts';
import { pendingSignIns, sessions } from '../schema/people/sessions.ts';
import { settings } from '../schema/settings.ts';
import { tables } from '../schema/tables.ts';
import { events } from '../schema/webhooks/events.ts';
import { workers } from '../schema/webhooks/lanes.ts';
import { openBackup } from './backup-lines.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const folder = useTemporaryFolder();
const clock = new FakeClock();

async function open(engine: OpenDatabase['engine']): Promise<OpenDatabase> {
  const database = await openTestDatabase(engine, silentLog);
  onTestFinished(() => database.close());
  return database;
}

/** A new empty database with what a backup has. */
async function restored(path: string, engine: OpenDatabase['engine']): Promise<OpenDatabase> {
  const database = await open(engine);
  await restoreBackup(database.maintenanceDb, await openBackup(path), clock.now());
  return database;
}

const ended: readonly PgTable[] = [
  sessions,
  pendingSignIns,
  passkeyChallenges,
  passwordResets,
  provisioners,
  workers,
];

/**
 * All rows, in the order of their texts, without the transactions that added them and the sessions
 * that a restore ends.
 */
async function contentOf(db: Db): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const table of Object.values<PgTable>(tables)) {
    if (ended.includes(table) || table === settings) continue;
    const rows = await db.select().from(table);
    const texts = rows.map(({ addedBy: _addedBy, sessionId: _sessionId, ...row }) =>
      inspect(row, { depth: null, maxArrayLength: null }),
    );
    content[getTableName(table)] = texts.toSorted();
  }
  return content;
}

function expectSame(content: Record<string, string[]>, original: Record<string, string[]>): void {
  for (const [table, rows] of Object.entries(original)) {
    expect(
      content[table]?.filter((row) => !rows.includes(row)),
      table,
    ).toEqual([]);
    expect(content[table], table).toHaveLength(rows.length);
  }
}

test('a backup of either engine restores every row in the other, and continues its ids', async () => {
  const { ctx: world } = await openRightsWorld();
  onTestFinished(() => world.dispose());
  await addAccountsToGrow(world);
  await growDatabase(world, { from: 0, to: 450 });
  // A line separator, which is a letter in JSON.
  await world.db.insert(accounts).values({ name: 'Zoë\u2028"🦊"\n', createdAt: clock.now() });
  const content = await contentOf(world.db);

  const first = join(folder, 'embedded.backup');
  const rows = await writeBackup(world.db, first, clock.now());
  expect(statSync(first).mode & 0o777).toBe(0o600);
  const server = await restored(first, 'postgresql');
  expectSame(await contentOf(server.maintenanceDb), content);
  const second = join(folder, 'server.backup');
  expect(await writeBackup(server.maintenanceDb, second, clock.now())).toBeLessThanOrEqual(
    rows + 2,
  );
  const { db } = await restored(second, 'pglite');
  expectSame(await contentOf(db), content);

  for (const table of ended) expect(await db.$count(table)).toBe(0);
  const stored = await db.select().from(events);
  const { id: _id, ...event } = stored.at(-1) ?? expect.unreachable();
  const [next] = await db
    .insert(events)
    .values({ ...event, uuid: randomUUID() })
    .returning();
  expect(next?.id).toBe(Math.max(...stored.map(({ id }) => id)) + 1);
});

test('a backup by a user who may not read which IDs come next is refused', async () => {
  const { db } = await open('postgresql');
  const path = join(folder, 'refused.backup');
  await expect(writeBackup(db, path, clock.now())).rejects.toThrow('Set MIGRATION_DATABASE_URL');
  expect(existsSync(path)).toBe(false);
});

describe('nothing is restored', () => {
  const path = join(folder, 'small.backup');
  beforeAll(async () => {
    const database = await openTestDatabase('pglite', silentLog);
    await addAccountsToGrow({ ...database, clock });
    await writeBackup(database.db, path, clock.now());
    await database.close();
  });

  test('into a database that has rows, which stays as it is', async () => {
    const { maintenanceDb: db } = await open('postgresql');
    await db.insert(accounts).values({ name: 'Marlow', createdAt: clock.now() });
    expect(await restoreBackup(db, await openBackup(path), clock.now())).toBeNull();
    expect(await db.select({ name: accounts.name }).from(accounts)).toEqual([{ name: 'Marlow' }]);
  });

  const text = () => gunzipSync(readFileSync(path)).toString();
  const damages: Record<string, () => Buffer> = {
    'a file that was cut off': () => readFileSync(path).subarray(0, -100),
    'a file of which a byte was changed': () => {
      const bytes = readFileSync(path);
      bytes[2000] = (bytes[2000] ?? 0) ^ 1;
      return bytes;
    },
    'a backup without its last line': () => gzipSync(text().replace(/#end .*\n$/, '')),
    'a backup without one of its rows': () => gzipSync(text().replace(/\n\{.*?\n/, '\n')),
    'a backup of which a name was changed': () => gzipSync(text().replace('Account 7"', 'Oscorp"')),
  };
  test.each(Object.entries(damages))('from %s', async (_what, damage) => {
    const damaged = join(folder, 'damaged.backup');
    writeFileSync(damaged, damage());
    for (const engine of ['postgresql', 'pglite'] as const) {
      const { maintenanceDb: db } = await open(engine);
      const restoring = async () => await restoreBackup(db, await openBackup(damaged), clock.now());
      await expect(restoring()).rejects.toThrow(/is incomplete or damaged|is not a backup/);
      expect(await db.$count(accounts)).toBe(0);
      expect(await db.$count(settings)).toBe(0);
    }
  });

  const crafted: Record<string, [line: string, name: string]> = {
    'a table of another schema': ['#table {"name":"pg_class","columns":["oid"]}', 'pg_class'],
    'a column that its table has not': [
      '#table {"name":"accounts","columns":["ctid"]}',
      'accounts',
    ],
    'a sequence that the service has not': ['#sequence {"name":"accounts","last":"7"}', 'accounts'],
  };
  test.each(Object.entries(crafted))('from a file with %s', async (_what, [line, name]) => {
    const file = join(folder, 'crafted.backup');
    const lines = text().replace(/#end .*\n$/, `${line}\n`);
    const sha256 = createHash('sha256').update(lines).digest('hex');
    const rows = lines.match(/^\{/gm)?.length ?? 0;
    writeFileSync(file, gzipSync(`${lines}#end ${JSON.stringify({ rows, sha256 })}\n`));
    const { maintenanceDb: db } = await open('postgresql');
    await expect(restoreBackup(db, await openBackup(file), clock.now())).rejects.toThrow(
      `The backup has "${name}", which is no table or sequence`,
    );
    expect(await db.$count(accounts)).toBe(0);
  });

  test.each(['missing.backup', '.'])('from %s, which cannot be read', async (name) => {
    await expect(openBackup(join(folder, name))).rejects.toThrow(/cannot be read/);
  });
});
