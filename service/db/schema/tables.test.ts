import { getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { tables } from './tables.ts';

test('the list has every table that the migrations create', async () => {
  const db = await createMemoryPglite();
  try {
    const { rows } = await db.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    const made = rows.map(({ name }) => name).toSorted();
    const listed = Object.values(tables).map((table) => getTableName(table));
    expect(listed.toSorted()).toEqual(made);
  } finally {
    await db.close();
  }
});
