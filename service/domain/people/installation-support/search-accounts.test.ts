import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxFoundAccounts } from '#lib/contract/people/found-account.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addPerson, addSupporter } from '../../../testing/records/people.ts';
import { selectSupportedAccounts } from '../store/installation-support.ts';

let ctx: TestContext;

beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx.dispose());

test('of 2,000 accounts the first 20 by name are read from an index, without sorting them', async () => {
  const { id: personId } = await addPerson(ctx);
  await addSupporter(ctx, personId);
  await ctx.db.execute(
    sql`insert into accounts (name, created_at) select 'Many ' || n, now() from generate_series(1, 2000) n`,
  );
  await ctx.db.execute(sql`analyze accounts`);
  const limit = maxFoundAccounts;
  for (const text of ['', 'many', 'Many 19']) {
    const query = selectSupportedAccounts(ctx.db, { personId, text, uuid: null, limit });
    expect(await query).toHaveLength(limit);
    const { rows } = await ctx.db.execute(sql`explain ${query.getSQL()}`);
    expect(JSON.stringify(rows)).toContain('Index Scan using accounts_name');
    expect(JSON.stringify(rows)).not.toContain('Sort');
  }
});
