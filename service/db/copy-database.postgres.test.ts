import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { PgTable } from 'drizzle-orm/pg-core';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../testing/clock.ts';
import { openTestDatabase } from '../testing/databases/database.ts';
import { addAccountsToGrow, growDatabase } from '../testing/growth/grow-database.ts';
import { silentLog } from '../testing/logger.ts';
import { copyDatabase } from './copy-database.ts';
import type { Db, OpenDatabase } from './open.ts';
import { accounts } from './schema/people/accounts.ts';
import { events } from './schema/webhooks/events.ts';
import { tables } from './schema/tables.ts';

async function open(engine: OpenDatabase['engine']): Promise<OpenDatabase> {
  const database = await openTestDatabase(engine, silentLog);
  onTestFinished(() => database.close());
  return database;
}

/** An embedded database with more rows than are copied at a time. */
async function openFilled(): Promise<OpenDatabase> {
  const database = await open('pglite');
  const ctx = { ...database, clock: new FakeClock() };
  await addAccountsToGrow(ctx);
  await growDatabase(ctx, { from: 0, to: 450 });
  return database;
}

/** All rows of a table, in the order of their texts, without the transactions that added them. */
async function rowsOf(db: Db, table: PgTable): Promise<string[]> {
  const rows = await db.select().from(table);
  return rows
    .map(({ addedBy: _addedBy, ...row }) => inspect(row, { depth: null, maxArrayLength: null }))
    .toSorted();
}

test('a copy in PostgreSQL has every row of the embedded database, and continues its ids', async () => {
  const { db } = await openFilled();
  const copy = await open('postgresql');
  const copied = await copyDatabase({ from: db, to: copy.maintenanceDb });

  let total = 0;
  for (const table of Object.values<PgTable>(tables)) {
    const rows = await rowsOf(db, table);
    expect(await rowsOf(copy.maintenanceDb, table)).toEqual(rows);
    total += rows.length;
  }
  expect(copied).toBe(total);

  const [last] = await db.select().from(events).limit(1);
  const { id: _id, ...event } = last ?? expect.unreachable();
  const added = { ...event, uuid: randomUUID() };
  const [next] = await copy.db.insert(events).values(added).returning();
  expect(next?.id).toBe(451);
});

test('a database that has rows is not copied into, and stays as it is', async () => {
  const { db } = await open('pglite');
  await addAccountsToGrow({ db, clock: new FakeClock() });
  const other = await open('postgresql');
  await other.db.insert(accounts).values({ name: 'Marlow', createdAt: new Date() });
  const before = await rowsOf(other.db, accounts);
  expect(await copyDatabase({ from: db, to: other.maintenanceDb })).toBeNull();
  expect(before).toHaveLength(1);
  expect(await rowsOf(other.db, accounts)).toEqual(before);
});
