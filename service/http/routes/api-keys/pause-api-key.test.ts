import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { dataOf, itemsOf, refusedFields } from '../../../testing/api.ts';
import { digestToken } from '../../../tokens/token.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account, owner, caller } = useApi();
const keys = new KeyCalls(caller);
const pathOf = ({ id }: { id: number }, act: string) => `/api/v1/api-keys/${id}/${act}`;
const send = (key: { id: number }, act: 'pause' | 'resume') => caller.post(pathOf(key, act), {});

describe('a paused key', () => {
  test('gets the 401 of a revoked key with each of its tokens, until it is resumed', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const rotated = await keys.newToken(key.id);
    const renewed = key.as(rotated);
    const revoked = await account.key();
    await keys.revoke(revoked.id);
    const refusal = await revoked.get('/api/v1/webhooks');
    expect(refusal.status).toBe(401);

    const paused = dataOf(await send(key, 'pause'));
    expect(paused).toMatchObject({
      status: 'paused',
      paused_at: ctx.clock.apiTime(),
      paused_by: { kind: 'api_key', name: 'Production server' },
    });
    for (const client of [key, renewed]) {
      expect((await client.get('/api/v1/webhooks')).text).toBe(refusal.text);
    }
    ctx.clock.advance(hourMs);
    expect(dataOf(await send(key, 'resume'))).toMatchObject({
      status: 'rotating',
      paused_at: null,
      paused_by: null,
      tokens: paused['tokens'],
    });
    for (const client of [key, renewed]) {
      expect((await client.get('/api/v1/webhooks')).status).toBe(200);
    }
  });

  test('can be changed, rotated and revoked; its old tokens end at their time', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    await send(key, 'pause');
    expect((await keys.change(key.id, { name: 'Renamed' })).status).toBe(200);
    const renewed = key.as(await keys.newToken(key.id, { grace_period_seconds: 3600 }));
    expect((await renewed.get('/api/v1/api-key')).status).toBe(401);
    ctx.clock.advance(dayMs);
    expect(dataOf(await send(key, 'resume'))).toMatchObject({ status: 'active', name: 'Renamed' });
    expect((await key.get('/api/v1/api-key')).status).toBe(401);
    expect((await renewed.get('/api/v1/api-key')).status).toBe(200);
    await send(key, 'pause');
    expect((await keys.revoke(key.id)).status).toBe(204);
    expect(await keys.find(key.id)).toMatchObject({ status: 'revoked' });
  });

  test('is shown as paused to who looks up its token', async () => {
    const key = await account.key();
    await send(key, 'pause');
    const search = { token_digest: digestToken(key.token).toString('hex') };
    const found = await owner.post('/api/dashboard/api-keys/token-searches', search);
    expect(dataOf(found)).toMatchObject({ state: 'paused', api_key: { uuid: key.uuid } });
  });

  test('has its refused calls counted', async () => {
    const key = await account.key();
    await send(key, 'pause');
    await key.get('/api/v1/webhooks');
    expect(dataOf(await owner.get(`/api/v1/api-keys/${key.id}/usage`))).toMatchObject({
      refusals: [{ reason: 'key_paused', status: 401, calls: 1 }],
    });
  });
});

test('pausing and resuming are in the audit log once, however often they are called', async () => {
  const key = await account.key();
  for (const act of ['pause', 'pause', 'resume', 'resume'] as const) {
    expect((await send(key, act)).status).toBe(200);
  }
  const entries = itemsOf(await caller.get(`/api/v1/audit-log?target=${key.uuid}`));
  expect(entries.map(({ action }) => action)).toEqual([
    'api_key.resumed',
    'api_key.paused',
    'api_key.created',
  ]);
});

test('a revoked or expired key can be neither paused nor resumed', async () => {
  const revoked = await account.key();
  await keys.revoke(revoked.id);
  const expired = await account.key({ expiresAt: ctx.clock.apiTime(hourMs) });
  ctx.clock.advance(hourMs);
  for (const key of [revoked, expired]) {
    for (const act of ['pause', 'resume'] as const) {
      expect(refusedFields(await send(key, act))).toEqual(['api_key']);
    }
  }
});
