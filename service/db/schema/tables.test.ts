import { getTableName, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createTestContext } from '../../testing/context.ts';
import { tables } from './tables.ts';

test('the list has every table that the migrations create', async () => {
  const ctx = await createTestContext();
  onTestFinished(() => ctx.dispose());
  const { rows } = await ctx.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const made = rows.map(({ name }) => name).toSorted();
  const listed = Object.values(tables).map((table) => getTableName(table));
  expect(listed.toSorted()).toEqual(made);
});
