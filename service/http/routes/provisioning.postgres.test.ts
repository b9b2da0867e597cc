import { count, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { accounts } from '../../db/schema/people/accounts.ts';
import { provisioners } from '../../db/schema/people/provisioners.ts';
import { maxProvisionedAccounts } from '../../domain/people/provisioning/provision-account.ts';
import { createProvisionerAsOperator } from '../../domain/people/provisioning/provisioners.ts';
import { useApi } from '../../testing/use-api.ts';

const { ctx, api } = useApi({ engine: 'postgresql' });

test('a provisioner does not exceed its number of accounts by creating several at the same time', async () => {
  const created = await createProvisionerAsOperator(ctx, { name: 'Suite', days: 1 });
  const [row] = await ctx.db.select().from(provisioners);
  const provisionerId = row?.id ?? '';
  const rows = Array.from({ length: maxProvisionedAccounts - 1 }, () => ({
    name: 'Full',
    provisionerId,
    createdAt: ctx.clock.now(),
  }));
  await ctx.db.insert(accounts).values(rows);
  const asked = await Promise.all(
    Array.from({ length: 4 }, () =>
      api.as(created?.token ?? '').post('/api/provisioning/accounts', {
        name: 'Suite',
        password: 'a staple that nobody knows',
        people: [{ name: 'Ann', email: `ann@${crypto.randomUUID()}.test`, role: 'owner' }],
      }),
    ),
  );
  expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422, 422]);
  const [found] = await ctx.db
    .select({ accounts: count() })
    .from(accounts)
    .where(eq(accounts.provisionerId, provisionerId));
  expect(found?.accounts).toBe(maxProvisionedAccounts);
});
