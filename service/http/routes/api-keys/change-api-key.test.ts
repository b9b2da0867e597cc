import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { statusOf, useToken } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, itemsOf } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('one key', () => {
  test('is returned by id and by UUID as the list shows it', async () => {
    const key = await account.key();
    const byId = await caller.get(`/api/v1/api-keys/${key.id}`);
    const byUuid = await caller.get(`/api/v1/api-keys/${key.uuid.toUpperCase()}`);
    expect(dataOf(byId)).toEqual(await keys.find(key.id));
    expect(byUuid.text).toBe(byId.text);
  });
});

describe('changing a key', () => {
  test.each([
    ['only these are wrong', {}],
    ['other fields are wrong as well', { name: '', unknown: 1 }],
  ])('names everything that is wrong at once, if %s', async (_what, more) => {
    const wrong = {
      scopes: ['messages:write'],
      expires_at: ctx.clock.apiTime(-hourMs),
      allowed_cidrs: ['nowhere'],
      responsible_id: crypto.randomUUID(),
      rate_limit_per_minute: 1_000_000,
      ...more,
    };
    const { id } = await account.key({ type: 'webhook' });
    const response = await keys.change(id, wrong);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response)).toSorted()).toEqual(Object.keys(wrong).toSorted());
  });

  test('changes the given fields, at once for all its tokens', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const list = () => key.get('/api/v1/webhooks');
    expect((await list()).status).toBe(200);
    const response = await keys.change(key.id, { name: 'Renamed', scopes: ['messages:write'] });
    expect(dataOf(response)).toMatchObject({ name: 'Renamed', scopes: ['messages:write'] });
    expect((await list()).status).toBe(403);
  });

  test('to the values that it has is recorded nowhere', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const change = {
      name: 'Steady',
      scopes: ['webhooks:read'],
      expires_at: ctx.clock.apiTime(hourMs),
      allowed_cidrs: ['203.0.113.0/24'],
      description: 'Unchanged',
      tags: ['billing'],
      responsible_id: (await account.member('owner')).personId,
      rate_limit_per_minute: 60,
    };
    const changed = dataOf(await keys.change(key.id, change));
    expect(dataOf(await keys.change(key.id, change))).toEqual(changed);
    const entries = itemsOf(await caller.get(`/api/v1/audit-log?target=${key.uuid}`));
    expect(entries.map(({ action }) => action)).toEqual(['api_key.updated', 'api_key.created']);
  });

  test.each<[string, object, string]>([
    ['nothing', {}, 'body'],
    ['another type', { type: 'full' }, 'type'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['scopes its type cannot hold', { scopes: ['messages:write'] }, 'scopes'],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['no network', { allowed_cidrs: ['everywhere'] }, 'allowed_cidrs'],
  ])('with %s is refused at that field', async (_what, change, field) => {
    const key = await account.key({ type: 'webhook' });
    const response = await keys.change(key.id, change);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('cannot remove the scopes of a limited key', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    expect(Object.keys(detailsOf(await keys.change(key.id, { scopes: null })))).toEqual(['scopes']);
  });

  test('is refused when the key reaches further than the caller, before or after', async () => {
    const narrow = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const strong = await account.key();
    const weak = await account.key({ scopes: ['webhooks:read'] });
    const narrowed = keys.as(narrow.token);
    expect((await narrowed.change(strong.id, { name: 'Mine' })).status).toBe(403);
    expect((await narrowed.change(weak.id, { scopes: ['events:read'] })).status).toBe(403);
    expect((await narrowed.change(weak.id, { name: 'Fine' })).status).toBe(200);
  });

  test('lets no key extend its own reach', async () => {
    const expiresAt = ctx.clock.apiTime(hourMs);
    const bound = await account.key({ expiresAt, allowedCidrs: ['203.0.113.0/24'] });
    expect((await keys.as(bound.token).change(bound.id, { expires_at: null })).status).toBe(403);
    expect((await keys.as(bound.token).change(bound.id, { allowed_cidrs: [] })).status).toBe(403);
    const own = await account.key({ scopes: ['api-keys:manage'] });
    const wider = { scopes: ['audit-log:read'] };
    expect((await keys.as(own.token).change(own.id, wider)).status).toBe(403);
  });

  test('is refused to a token in its grace period', async () => {
    const key = await account.key();
    await keys.rotate(key.id);
    expect((await keys.as(key.token).change(key.id, { name: 'Mine' })).status).toBe(403);
  });

  test('does not bring an expired key back', async () => {
    const soon = ctx.clock.apiTime(1000);
    const key = await account.key({ expiresAt: soon });
    ctx.clock.advance(1000);
    expect((await keys.change(key.id, { expires_at: null })).status).toBe(422);
    expect(await statusOf(api, key.token)).toBe(401);
  });

  test('ends the token in its grace period with the key, if that comes first', async () => {
    const key = await account.key();
    await keys.rotate(key.id);
    const soon = ctx.clock.apiTime(1000);
    await keys.change(key.id, { expires_at: soon });
    expect(await keys.find(key.id)).toMatchObject({ previous_token: { valid_until: soon } });
  });
});

describe('where a key may be used from', () => {
  test('calls get 403 from outside its networks and 200 from inside', async () => {
    const key = await account.key({ allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) => key.get('/api/v1/api-key', { 'x-client-address': address });
    expect((await from('203.0.113.200')).status).toBe(200);
    expect((await from('2001:db8::7')).status).toBe(200);
    expect((await from('198.51.100.1')).status).toBe(403);
  });
});

describe('last use', () => {
  test('the first use of a token is stored before the response, later ones in batches', async () => {
    const key = await account.key();
    await useToken(api, key.token);
    const first = await keys.find(key.id);
    expect(first).toMatchObject({
      last_used_at: ctx.clock.apiTime(),
      last_used_ip: '203.0.113.7',
    });
    ctx.clock.advance(5000);
    await useToken(api, key.token);
    expect(await keys.find(key.id)).toEqual(first);
    await ctx.usage.flush();
    expect(await keys.find(key.id)).toMatchObject({
      last_used_at: ctx.clock.apiTime(),
    });
  });
});
