import { expect, test } from 'vitest';
import { dataOf, TestApi } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';

test.each([
  [[], false],
  [['10.0.0.0/8'], true],
])('an installation that allows the networks %j says so to its members', async (allowed, isAny) => {
  const ctx = await createTestContext({ config: { webhookAllowedCidrs: allowed } });
  try {
    const api = new TestApi(ctx);
    const viewer = await (await api.account()).member('viewer');
    const response = await api.as(viewer).get('/api/dashboard/webhook-targets');
    expect(dataOf(response)).toEqual({ allows_private_addresses: isAny });
  } finally {
    await ctx.dispose();
  }
});
