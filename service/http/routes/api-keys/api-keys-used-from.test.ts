import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { deleteOldCalls } from '../../../domain/api-keys/calls/delete-old-calls.ts';
import { useIncidents } from '../../../testing/api-keys/incidents.ts';
import { detailsOf, refusedFields } from '../../../testing/api.ts';

const { ctx, incidents, account, owner } = useIncidents();

test('keys are found by every address they were used from, and by the last one, however long ago that was', async () => {
  const roaming = await account.key({ name: 'Roaming' });
  const elsewhere = await account.key({ name: 'Elsewhere' });
  await account.key({ name: 'Never used' });
  const old = await account.key({ name: 'Used long ago' });
  await ctx.db
    .update(apiKeyTokens)
    .set({ lastUsedAt: ctx.clock.now(), lastUsedIp: '192.0.2.8' })
    .where(eq(apiKeyTokens.apiKeyId, old.id));
  await incidents.use(roaming, { from: '198.51.100.7' });
  await incidents.use(roaming, { from: '203.0.113.9' });
  await incidents.use(elsewhere, { from: '2001:db8::1' });
  for (const [address, chosen] of [
    ['198.51.100.7', ['Roaming']],
    [' 198.51.100.0/24 ', ['Roaming']],
    ['203.0.113.0/24', ['Roaming']],
    ['2001:db8::/32', ['Elsewhere']],
    ['192.0.2.0/24', ['Used long ago']],
    ['192.0.3.0/24', []],
  ] as const) {
    expect(await incidents.usedFrom(address), address).toEqual(chosen);
  }
});

test('keys are found only by an address or a network, not by other texts', async () => {
  const response = await owner.get('/api/dashboard/api-keys-used-from?address=my%20laptop');
  expect(response.status).toBe(422);
  expect(detailsOf(response)).toEqual({
    address: ['Use an address or a network, such as 203.0.113.7 or 203.0.113.0/24.'],
  });
});

test.each([
  ['is unreadable', 'a\0b'],
  ['runs backwards', '\u202e203.0.113.7'],
  ['is a token', `sk_live_${'a'.repeat(38)}`],
])('an address that %s is refused', async (_what, address) => {
  const path = `/api/dashboard/api-keys-used-from?${new URLSearchParams({ address })}`;
  expect(refusedFields(await owner.get(path))).toEqual(['address']);
});

test('the addresses from which tokens were used are kept for 30 days', async () => {
  const key = await account.key({ name: 'One' });
  await incidents.use(key, { from: '198.51.100.7' });
  ctx.clock.advance(1);
  await incidents.use(key, { from: '198.51.100.8' });
  await ctx.usage.flush();
  const foundAfter = async (ms: number) => {
    ctx.clock.advance(ms);
    await deleteOldCalls(ctx, async () => true);
    return await incidents.usedFrom('198.51.100.7');
  };
  expect(await foundAfter(29 * dayMs)).toEqual(['One']);
  expect(await foundAfter(2 * dayMs)).toEqual([]);
});
