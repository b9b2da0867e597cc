import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { deskSearches } from '../../../db/schema/people/support.ts';
import { applyAuditRetention } from '../../../domain/retention/apply-retention.ts';
import { lastFourOutsideIds } from '../../../testing/api-keys/tokens.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useDesk, digestOf } from '../../../testing/http/test-desk.ts';

const { ctx, api, desk, account, supporter } = useDesk();

describe('an owner reads in the audit log', () => {
  test('who searched for what, only in the accounts of which something was shown', async () => {
    await account.key({ name: desk.marker });
    const other = await api.account();
    await desk.resultsOf(desk.marker);
    expect(await desk.auditOf('support_desk.searched', account)).toMatchObject([
      {
        actor: { kind: 'person', id: supporter.personId, name: 'Priya Nair' },
        changes: { search: desk.marker, shown: { keys: 1, webhooks: 0, people: 0 } },
      },
    ]);
    expect(await desk.auditOf('support_desk.searched', other)).toEqual([]);
  });

  test('who looked up a token, with its last four characters only', async () => {
    const { token, uuid, lastFour } = await account.key({ name: desk.marker });
    await desk.lookUp(token);
    const [entry] = await desk.auditOf('support_desk.token_found', account);
    expect(entry).toMatchObject({
      target: { kind: 'api_key', id: uuid },
      changes: { last_four: lastFour, state: 'live' },
    });
    const digest = digestOf(token);
    expect(JSON.stringify(entry)).not.toContain(digest);
    expect(JSON.stringify(ctx.logged)).not.toContain(digest);
  });
});

describe('the record of the installation has', () => {
  const recorded = async () =>
    await ctx.db
      .select()
      .from(deskSearches)
      .where(sql`person ->> 'id' = ${supporter.personId}`)
      .orderBy(deskSearches.id);

  test('every search with its person, address and results, even without results', async () => {
    await account.key({ name: desk.marker });
    await desk.resultsOf(desk.marker);
    await desk.resultsOf(`no ${desk.marker}`);
    expect(await recorded()).toMatchObject([
      {
        person: { kind: 'person', id: supporter.personId, name: 'Priya Nair' },
        at: ctx.clock.now(),
        search: desk.marker,
        found: { keys: 1, webhooks: 0, people: 0, accounts: 1 },
        ip: expect.any(String) as string,
        requestId: expect.any(String) as string,
      },
      { search: `no ${desk.marker}`, found: { keys: 0, webhooks: 0, people: 0, accounts: 0 } },
    ]);
    expect(await desk.auditOf('support_desk.searched', account)).toHaveLength(1);
  });

  test('every look-up of a token, found or not, without any part of the token', async () => {
    const { token } = await account.key({ name: desk.marker });
    const unknown = `sk_live_${'0'.repeat(38)}`;
    await desk.lookUp(token);
    await desk.lookUp(unknown);
    const rows = await recorded();
    expect(rows).toMatchObject([
      { search: null, found: { keys: 1 } },
      { search: null, found: { keys: 0 } },
    ]);
    for (const each of [token, unknown]) {
      const digest = digestOf(each);
      expect(JSON.stringify(rows)).not.toContain(digest.slice(0, 8));
      expect(JSON.stringify(rows)).not.toMatch(lastFourOutsideIds(each));
    }
  });

  test('no search that was refused', async () => {
    await desk.search(`whsec_${'a1B2'.repeat(11)}`);
    expect(await recorded()).toEqual([]);
  });

  test('its entries for 400 days, and nobody can change or remove them before', async () => {
    await desk.resultsOf(desk.marker);
    await expect(ctx.db.delete(deskSearches)).rejects.toThrow();
    await expect(ctx.db.update(deskSearches).set({ search: null })).rejects.toThrow();
    await expect(ctx.db.execute(sql`truncate desk_searches`)).rejects.toThrow();
    const retention = async () => await applyAuditRetention(ctx, () => Promise.resolve(true));
    ctx.clock.advance(399 * dayMs);
    await retention();
    expect(await recorded()).toHaveLength(1);
    ctx.clock.advance(2 * dayMs);
    await retention();
    expect(await recorded()).toEqual([]);
  });
});

test('the desk shows the person, how many accounts they can open, and which they used last', async () => {
  const { id: personId, email } = await addPerson(ctx, { name: 'Ida' });
  const first = await addAccount(ctx, 'First');
  const second = await addAccount(ctx, 'Second');
  for (const accountId of [first, second]) {
    await addMember(ctx, { accountId, personId, role: 'support' });
  }
  const open = async (pageOf: string) =>
    await api.as({ personId, pageOf }).get('/api/dashboard/session');
  await open(first);
  ctx.clock.advance(600_000);
  await open(second);
  const response = await api.as({ personId }).get('/api/dashboard/support-desk');
  expect(response.body).toEqual({
    success: true,
    data: {
      person: { id: personId, name: 'Ida', email },
      is_installation_support: false,
      account_count: 2,
      recent_accounts: [
        { id: second, name: 'Second' },
        { id: first, name: 'First' },
      ],
    },
  });
});
