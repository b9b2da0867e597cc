import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { maxFoundAccounts } from '#lib/contract/people/found-account.ts';
import { addPerson, addSupporter } from '../../../testing/records/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import { selectSupportedAccounts } from '../store/installation-support.ts';

const ctx = useContext();

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
