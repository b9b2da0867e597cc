import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import type { OldToken, TokenUse } from '#lib/contract/api-keys/token-use.ts';
import { KeyCalls } from '../../../../testing/api-keys/key-calls.ts';
import { dataOf, refusedFields } from '../../../../testing/api.ts';
import type { TestKey } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { statusOf } from '../../../../testing/api-keys/tokens.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account, owner, admin, support, viewer, caller } = useApi({
  config: { rateLimitPerMinute: 10_000 },
});
const keys = new KeyCalls(caller);

describe('the use of the tokens of a key', () => {
  test('leads from "not yet" to "safe to end" once clients use the new token alone', async () => {
    const key = await account.key();
    await use(key.token);
    const newer = await keys.newToken(key.id);
    expect(await old(key)).toMatchObject({ verdict: 'in_use', calls_last_hour: 1 });
    ctx.clock.advance(2 * hourMs);
    expect(await old(key)).toMatchObject({ verdict: 'new_token_unused', calls_last_hour: 0 });
    await use(newer);
    expect(await old(key)).toMatchObject({ verdict: 'used_recently', last_call_from: from });
    ctx.clock.advance(4 * hourMs);
    expect(await old(key)).toMatchObject({ verdict: 'safe_to_end' });
    await use(key.token);
    expect(await old(key)).toMatchObject({
      verdict: 'in_use',
      addresses_last_hour: 1,
      longest_pause_seconds: 6 * 3600,
      callers: [{ address: from, last_path: '/api/v1/webhooks', last_status: 200, calls: 2 }],
    });
    ctx.clock.advance(6 * hourMs);
    expect(await old(key)).toMatchObject({ verdict: 'may_be_pausing' });
    ctx.clock.advance(1);
    expect(await old(key)).toMatchObject({ verdict: 'safe_to_end' });
    expect((await tokensOf(key))[0]).toMatchObject({ last_four: newer.slice(-4), verdict: null });
  });

  test('counts the calls of the last 60 minutes, and of each hour', async () => {
    const key = await account.key();
    await use(key.token);
    ctx.clock.advance(50 * minuteMs);
    await use(key.token);
    await keys.rotate(key.id);
    ctx.clock.advance(10 * minuteMs);
    expect((await old(key)).calls_last_hour).toBe(1);
    const { hours } = await old(key);
    expect(hours).toHaveLength(24);
    expect(hours.reduce((sum, calls) => sum + calls, 0)).toBe(2);
  });

  test('is listed for all old tokens of the account that still work, and of no other account', async () => {
    const other = await api.account();
    const mine = await other.key();
    const member = await other.member('viewer');
    const list = async () => dataOf<OldToken[]>(await member.get('/api/dashboard/old-tokens'));
    expect(await list()).toEqual([]);
    await (await other.member('owner')).post(`/api/v1/api-keys/${mine.id}/rotate`, {});
    expect(await list()).toMatchObject([
      {
        api_key: { uuid: mine.uuid },
        last_four: mine.token.slice(-4),
        verdict: 'new_token_unused',
      },
    ]);
    const elsewhere = await viewer.get('/api/dashboard/old-tokens');
    expect(dataOf<OldToken[]>(elsewhere).map(({ api_key: key }) => key.uuid)).not.toContain(
      mine.uuid,
    );
  });
});

describe('the time of an old token', () => {
  test('is extended by an owner or admin, with an audit entry, and the token works until then', async () => {
    const key = await account.key();
    await use(key.token);
    await keys.newToken(key.id);
    expect((await extend(key, 2 * dayMs)).status).toBe(204);
    const entries = await auditEntriesOf(ctx, account.id);
    expect(entries.at(-1)).toMatchObject({
      action: 'api_key.token_extended',
      changes: { last_four: key.token.slice(-4) },
    });
    ctx.clock.advance(2 * dayMs - 1);
    expect(await statusOf(api, key.token)).toBe(200);
    ctx.clock.advance(1);
    expect(await statusOf(api, key.token)).toBe(401);
  });

  test('ends 30 days after the rotation at the latest, however often it is extended', async () => {
    const key = await account.key();
    await use(key.token);
    await keys.newToken(key.id, { grace_period_seconds: 3600 });
    const latest = ctx.clock.apiTime(30 * dayMs);
    expect(await old(key)).toMatchObject({ extendable_until: latest });
    expect(refusedFields(await extend(key, 30 * dayMs + 1))).toEqual(['valid_until']);
    expect(refusedFields(await extend(key, 3600_000))).toEqual(['valid_until']);
    expect((await extend(key, 30 * dayMs)).status).toBe(204);
    expect(await old(key)).toMatchObject({ extendable_until: null, valid_until: latest });
    expect(refusedFields(await extend(key, 31 * dayMs))).toEqual(['token']);
  });

  test('does not pass the end of the key', async () => {
    const key = await account.key({ expiresAt: ctx.clock.apiTime(3 * dayMs) });
    await keys.newToken(key.id);
    expect(await old(key)).toMatchObject({ extendable_until: ctx.clock.apiTime(3 * dayMs) });
    expect(refusedFields(await extend(key, 4 * dayMs))).toEqual(['valid_until']);
  });

  test('is not extended once a leak was reported, not even after the rotation that answers it', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const reported = await support.post(`/api/dashboard/api-keys/${key.id}/rotation-requests`, {
      member: owner.personId,
      reason: 'leaked',
    });
    expect(reported.status).toBe(201);
    await owner.post(`/api/v1/api-keys/${key.id}/rotate`, { grace_period_seconds: 3600 });
    expect(await old(key)).toMatchObject({ extendable_until: null });
    expect(refusedFields(await extend(key, dayMs))).toEqual(['token']);
  });

  test('is not extended for the newest token', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    await keys.newToken(key.id);
    const [newest] = await tokensOf(key);
    const body = { valid_until: ctx.clock.apiTime(2 * dayMs) };
    const path = `/api/v1/api-keys/${key.id}/tokens`;
    expect(refusedFields(await owner.patch(`${path}/${newest?.id}`, body))).toEqual(['token']);
  });
});

const from = '203.0.113.7';

async function use(token: string): Promise<void> {
  await api.as(token).get('/api/v1/webhooks', { 'x-client-address': from });
}

async function tokensOf({ id }: TestKey): Promise<TokenUse[]> {
  return dataOf<TokenUse[]>(await viewer.get(`/api/v1/api-keys/${id}/tokens`));
}

async function old(key: TestKey): Promise<TokenUse> {
  const [, token] = await tokensOf(key);
  if (!token) throw new Error('the key has no old token');
  return token;
}

async function extend(key: TestKey, ms: number) {
  const { id } = await old(key);
  const body = { valid_until: ctx.clock.apiTime(ms) };
  return await admin.patch(`/api/v1/api-keys/${key.id}/tokens/${id}`, body);
}
