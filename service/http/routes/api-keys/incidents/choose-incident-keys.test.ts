import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { apiKeyTokens, tokenCalls } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { deleteOldTokenUses } from '../../../../domain/api-keys/tokens/delete-old-calls.ts';
import { useIncidents } from '../../../../testing/api-keys/incidents.ts';
import { detailsOf } from '../../../../testing/api.ts';

const { ctx, incidents, account, owner, admin } = useIncidents();

describe('the keys of an incident are chosen', () => {
  test('by who created them: a member, or a key', async () => {
    const own = await account.key({ name: 'By the owner' });
    const path = '/api/v1/api-keys';
    await admin.post(path, { name: 'By the admin', type: 'full' });
    await own.post(path, { name: 'By a key', type: 'bot' });
    for (const [created_by, name] of [
      [`person:${owner.personId}`, 'By the owner'],
      [`person:${admin.personId}`, 'By the admin'],
      [`api_key:${own.uuid}`, 'By a key'],
    ] as const) {
      expect(await incidents.chosen({ created_by })).toEqual([name]);
    }
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

  test('by every address they were used from, and by the last one, however long ago that was', async () => {
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
      expect(await incidents.chosen({ address }), address).toEqual(chosen);
    }
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
  const keptAfter = async (ms: number) => {
    ctx.clock.advance(ms);
    await deleteOldTokenUses(ctx, async () => true);
    const counts = await ctx.db.$count(tokenCalls, eq(tokenCalls.accountId, account.id));
    return [counts, await incidents.chosen({ address: '198.51.100.7' })];
  };
  expect(await keptAfter(47 * hourMs)).toEqual([1, ['One']]);
  expect(await keptAfter(2 * hourMs)).toEqual([0, ['One']]);
  expect(await keptAfter(30 * dayMs)).toEqual([0, []]);
});
