import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotateApiKey } from '../../../domain/api-keys/rotation/rotate-api-key.ts';
import { dataOf } from '../../../testing/api.ts';
import { useDesk, addDeskSupporter, digestOf } from '../../../testing/http/test-desk.ts';

const { ctx, api, desk, account } = useDesk();

describe('the digest of a token finds its key, and says', () => {
  test('that it is live, in its grace period, replaced, expired or revoked, and when it was used last', async () => {
    await desk.giveReason();
    const expiresAt = new Date(ctx.clock.now().getTime() + dayMs * 30).toISOString();
    const key = await account.key({ name: desk.marker, expiresAt });
    expect(await desk.lookUp(key.token)).toMatchObject({
      state: 'live',
      last_used_at: null,
      key: { id: key.id, account: { id: account.id } },
    });
    const rotation = { token: key.token, body: { grace_period_seconds: 3600 } };
    await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, rotation);
    await ctx.usage.flush();
    const inGrace = await desk.lookUp(key.token);
    expect(inGrace.state).toBe('grace');
    expect(inGrace.valid_until).not.toBeNull();
    expect(inGrace.last_used_at).not.toBeNull();
    ctx.clock.advance(hourMs);
    expect((await desk.lookUp(key.token)).state).toBe('ended');
    const other = await account.key({ name: desk.marker, expiresAt });
    ctx.clock.advance(dayMs * 30);
    expect((await desk.lookUp(other.token)).state).toBe('expired');
    await ctx.db
      .update(apiKeys)
      .set({ revokedAt: ctx.clock.now() })
      .where(eq(apiKeys.id, other.id));
    expect((await desk.lookUp(other.token)).state).toBe('revoked');
  });

  test('that it ended, also if nobody used it and another took its place', async () => {
    await desk.giveReason();
    const key = await account.key({ name: desk.marker });
    const owner = await account.member('owner');
    const repeated = { apiKey: key.uuid, idempotencyKey: 'lost-response' };
    const { token: lost } = await rotateApiKey(ctx, owner, repeated);
    await rotateApiKey(ctx, owner, repeated);
    expect(await desk.lookUp(lost)).toMatchObject({
      state: 'ended',
      valid_until: ctx.clock.apiTime(),
      last_used_at: null,
      key: { id: key.id },
    });
  });

  test('that a token is unknown, no matter what its last four characters are', async () => {
    const { lastFour } = await account.key();
    expect(await desk.lookUp(`sk_live_${'a'.repeat(34)}${lastFour}`)).toEqual({
      state: 'unknown',
      valid_until: null,
      last_used_at: null,
      key: null,
      leak_revocations_left: null,
    });
  });

  test('how many more keys the person may revoke within a day because they reported a leak', async () => {
    const admin = await account.member('admin');
    const support = await account.member('support');
    const found = await account.key();
    expect((await desk.lookUp(found.token, support)).leak_revocations_left).toBe(3);
    const leaked = await account.key();
    const asked = await api
      .as(support)
      .post(`/api/dashboard/api-keys/${leaked.id}/rotation-requests`, {
        member: admin.personId,
        reason: 'leaked',
      });
    const path = `/api/dashboard/rotation-requests/${String(dataOf(asked)['uuid'])}/revoke`;
    expect((await api.as(support).post(path)).status).toBe(204);
    expect((await desk.lookUp(found.token, support)).leak_revocations_left).toBe(2);
    ctx.clock.advance(24 * hourMs);
    expect((await desk.lookUp(found.token, support)).leak_revocations_left).toBe(3);
  });
});

test('a text that holds a whole token or secret is refused, and neither returned nor logged', async () => {
  const { token } = await account.key({ name: desk.marker });
  for (const secret of [token, `my token ${token}.`, `whsec_${'a1B2'.repeat(11)}`]) {
    const response = await desk.search(secret);
    expect(response.status).toBe(422);
    expect(response.text).not.toContain(secret);
    expect(JSON.stringify(ctx.logged)).not.toContain(secret);
  }
});

test('61 searches of either kind in a minute are one too many', async () => {
  for (let n = 0; n < 59; n += 1) await desk.resultsOf('…0000');
  await desk.lookUp('sk_live_nothing');
  expect((await desk.search('…0000')).status).toBe(429);
  expect((await desk.search('…0000', { as: await addDeskSupporter(ctx) })).status).toBe(200);
});

describe('reporting the leak of a token whose account is closed to support', () => {
  const path = '/api/dashboard/support-desk/leak-reports';

  test('mails its owners and admins who reported it, and shows the person nothing', async () => {
    const owner = await account.member('owner');
    const key = await account.key({ name: 'Production' });
    await ctx.db
      .update(accounts)
      .set({ allowsInstallationSupport: false })
      .where(eq(accounts.id, account.id));
    expect((await desk.lookUp(key.token)).state).toBe('unknown');
    const report = async (token: string) =>
      await api.as(desk.supporter).post(path, { token_digest: digestOf(token) });
    const before = ctx.mails.length;
    const [real, invented] = [await report(key.token), await report('sk_live_nothing')];
    expect([real.status, real.text]).toEqual([invented.status, invented.text]);
    expect(real.status).toBe(204);
    const mails = ctx.mails.slice(before);
    expect(mails).toMatchObject([
      { to: owner.email, subject: 'Leaked: the token of the API key "Production"' },
    ]);
    expect(mails[0]?.text).toMatch(/Reported by: .* \(.+@.+, installation support\)/);
    expect(await desk.auditOf('support_desk.leak_reported', account)).toHaveLength(1);
    await report(key.token);
    expect(ctx.mails).toHaveLength(before + 1);
  });
});
