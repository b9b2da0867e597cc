import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { apiKeyTokens, tokenCalls } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { deleteOldTokenUses } from '../../../../domain/api-keys/tokens/delete-old-calls.ts';
import { useIncidents } from '../../../../testing/api-keys/incidents.ts';
import { detailsOf } from '../../../../testing/api.ts';
import type { TestKey } from '../../../../testing/api.ts';

const { ctx, incidents, account, owner, admin } = useIncidents();

describe('the keys of an incident are chosen', () => {
  test('by who created them: a member, or a key', async () => {
    const own = await account.key({ name: 'By the owner' });
    const path = '/api/v1/api-keys';
    const byAdmin = await admin.post(path, { name: 'By the admin', type: 'full' });
    await own.post(path, { name: 'By a key', type: 'bot' });
    expect(await incidents.chosen({ created_by: `person:${owner.personId}` })).toEqual([
      'By the owner',
    ]);
    expect(await incidents.chosen({ created_by: `person:${admin.personId}` })).toEqual([
      'By the admin',
    ]);
    expect(await incidents.chosen({ created_by: `api_key:${own.uuid}` })).toEqual(['By a key']);
    expect(byAdmin.status).toBe(201);
    expect((await incidents.keys()).creators).toEqual([
      { creator: `api_key:${own.uuid}`, name: 'By the owner', kind: 'api_key', keys: 1 },
      { creator: `person:${admin.personId}`, name: 'Ida admin', kind: 'person', keys: 1 },
      { creator: `person:${owner.personId}`, name: 'Ida owner', kind: 'person', keys: 1 },
    ]);
  });

  test('by when they were created: from one moment on, and before another', async () => {
    await account.key({ name: 'First' });
    ctx.clock.advance(hourMs);
    const between = ctx.clock.now().toISOString();
    await account.key({ name: 'Second' });
    ctx.clock.advance(hourMs);
    const after = ctx.clock.now().toISOString();
    await account.key({ name: 'Third' });
    expect(await incidents.chosen({ created_after: between })).toEqual(['Third', 'Second']);
    expect(await incidents.chosen({ created_before: between })).toEqual(['First']);
    expect(await incidents.chosen({ created_after: between, created_before: after })).toEqual([
      'Second',
    ]);
  });

  test('by every address they were used from, not only the last one', async () => {
    const [roaming, elsewhere] = [
      await account.key({ name: 'Roaming' }),
      await account.key({ name: 'Elsewhere' }),
    ];
    await account.key({ name: 'Never used' });
    await incidents.use(roaming, { from: '198.51.100.7' });
    await incidents.use(roaming, { from: '203.0.113.9' });
    await incidents.use(elsewhere, { from: '2001:db8::1' });
    expect(await incidents.chosen({ address: '198.51.100.7' })).toEqual(['Roaming']);
    expect(await incidents.chosen({ address: ' 198.51.100.0/24 ' })).toEqual(['Roaming']);
    expect(await incidents.chosen({ address: '203.0.113.0/24' })).toEqual(['Roaming']);
    expect(await incidents.chosen({ address: '2001:db8::/32' })).toEqual(['Elsewhere']);
    expect(await incidents.chosen({ address: '192.0.2.0/24' })).toEqual([]);
  });

  test('by the last address, however long ago it was used', async () => {
    const key = await account.key({ name: 'Used long ago' });
    await ctx.db
      .update(apiKeyTokens)
      .set({ lastUsedAt: ctx.clock.now(), lastUsedIp: '198.51.100.8' })
      .where(eq(apiKeyTokens.apiKeyId, key.id));
    expect(await incidents.chosen({ address: '198.51.100.0/24' })).toEqual(['Used long ago']);
  });

  test('only by an address or a network, not by other texts', async () => {
    const response = await owner.get('/api/dashboard/incident-keys?address=my%20laptop');
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      address: ['Use an address or a network, such as 203.0.113.7 or 203.0.113.0/24.'],
    });
  });

  test('by all of these together, and without any of them all active keys', async () => {
    const revoked = await account.key({ name: 'Revoked' });
    await owner.delete(`/api/v1/api-keys/${revoked.id}`);
    const soon = ctx.clock.apiTime(minuteMs);
    await account.key({ name: 'Expired', expiresAt: soon });
    ctx.clock.advance(minuteMs);
    const key = await account.key({ name: 'Alive' });
    await incidents.use(key, { from: '198.51.100.7' });
    await account.key({ name: 'Alive too' });
    expect(await incidents.chosen({})).toEqual(['Alive too', 'Alive']);
    const creator = `person:${owner.personId}`;
    expect(await incidents.chosen({ created_by: creator, address: '198.51.100.7' })).toEqual([
      'Alive',
    ]);
    expect(await incidents.keys()).toMatchObject({ live_keys: 2 });
  });
});

test('call counts of tokens are kept for 48 hours, and their addresses for 30 days', async () => {
  const key = await account.key({ name: 'One' });
  await incidents.use(key, { from: '198.51.100.7' });
  ctx.clock.advance(1);
  await incidents.use(key, { from: '198.51.100.8' });
  await ctx.usage.flush();
  ctx.clock.advance(47 * hourMs);
  await deleteOldTokenUses(ctx, proceed);
  expect(await countedOf(key)).toBe(2);
  ctx.clock.advance(2 * hourMs);
  await deleteOldTokenUses(ctx, proceed);
  expect(await countedOf(key)).toBe(0);
  expect(await incidents.chosen({ address: '198.51.100.7' })).toEqual(['One']);
  ctx.clock.advance(30 * dayMs);
  await deleteOldTokenUses(ctx, proceed);
  expect(await incidents.chosen({ address: '198.51.100.7' })).toEqual([]);
});

const proceed = async () => true;

async function countedOf({ id }: TestKey): Promise<number> {
  const [token] = await ctx.db.select().from(apiKeyTokens).where(eq(apiKeyTokens.apiKeyId, id));
  const rows = await ctx.db
    .select()
    .from(tokenCalls)
    .where(eq(tokenCalls.tokenId, token?.id ?? 0));
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}
