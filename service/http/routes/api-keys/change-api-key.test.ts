import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { statusesOf, statusOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, itemsOf, refusedFields } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, owner, admin, viewer, caller } = useApi();
const keys = new KeyCalls(caller);

test('one key is returned by id and by UUID as the list shows it', async () => {
  const key = await account.key();
  const byId = await caller.get(`/api/v1/api-keys/${key.id}`);
  const byUuid = await caller.get(`/api/v1/api-keys/${key.uuid.toUpperCase()}`);
  expect(dataOf(byId)).toEqual(await keys.find(key.id));
  expect(byUuid.text).toBe(byId.text);
});

describe('changing a key', () => {
  test('changes the given fields, immediately for all its tokens', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const list = async () => (await key.get('/api/v1/webhooks')).status;
    expect(await list()).toBe(200);
    const response = await keys.change(key.id, { name: 'Renamed', scopes: ['messages:write'] });
    expect(dataOf(response)).toMatchObject({ name: 'Renamed', scopes: ['messages:write'] });
    expect(await list()).toBe(403);
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
      responsible_id: owner.personId,
      rate_limit_per_minute: 60,
    };
    const changed = dataOf(await keys.change(key.id, change));
    expect(dataOf(await keys.change(key.id, change))).toEqual(changed);
    const entries = await auditOf(key.uuid);
    expect(entries.map(({ action }) => action)).toEqual(['api_key.updated', 'api_key.created']);
  });

  test.each<[string, object, string]>([
    ['nothing', {}, 'body'],
    ['another type', { type: 'full' }, 'type'],
    ['no scopes', { scopes: [] }, 'scopes'],
    ['all scopes, of a limited key', { scopes: null }, 'scopes'],
  ])('with %s is refused at that field', async (_what, change, field) => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    expect(refusedFields(await keys.change(key.id, change))).toEqual([field]);
  });

  test('lets no key extend a reach beyond its own, not even its own reach', async () => {
    const narrow = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const weak = await account.key({ scopes: ['webhooks:read'] });
    const expiresAt = ctx.clock.apiTime(hourMs);
    const bound = await account.key({ expiresAt, allowedCidrs: ['203.0.113.0/24'] });
    for (const [by, { id }, change] of [
      [narrow, weak, { scopes: ['events:read'] }],
      [narrow, narrow, { scopes: ['audit-log:read'] }],
      [bound, bound, { expires_at: null }],
      [bound, bound, { allowed_cidrs: [] }],
    ] as const) {
      const refused = await keys.as(by.token).change(id, change);
      expect(refused.status, JSON.stringify(change)).toBe(403);
    }
    expect((await keys.as(narrow.token).change(weak.id, { name: 'Fine' })).status).toBe(200);
  });

  test('does not bring an expired key back', async () => {
    const key = await account.key({ expiresAt: ctx.clock.apiTime(1000) });
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

describe('the description and the tags of a key', () => {
  test('are trimmed and normalized, and shown wherever the key is', async () => {
    const details = { description: ' Checkout\r\nof the shop ', tags: [' EU  West ', 'Live'] };
    const made = dataOf(await keys.create({ name: 'Shop', type: 'full', ...details }));
    const shown = { description: 'Checkout\nof the shop', tags: ['eu west', 'live'] };
    for (const key of [made, await keys.read(made.id), await keys.find(made.id)]) {
      expect(key).toMatchObject(shown);
    }
  });

  test('change alone, can be removed, and the audit entry has both values', async () => {
    const { id, uuid } = await account.key();
    await keys.change(id, { description: 'Checkout', tags: ['live'] });
    expect(dataOf(await keys.change(id, { tags: ['Test'] }))).toMatchObject({
      description: 'Checkout',
      tags: ['test'],
    });
    expect(dataOf(await keys.change(id, { description: '' }))['description']).toBeNull();
    expect(await auditOf(uuid)).toMatchObject([
      { action: 'api_key.updated', changes: { description: { from: 'Checkout', to: null } } },
      { action: 'api_key.updated', changes: { tags: { from: ['live'], to: ['test'] } } },
      {},
      {},
    ]);
  });
});

describe('the person responsible for a key', () => {
  const shownFor = ({ personId: id, personName: name }: PersonActor) => ({ id, name });

  test('is shown wherever the key is, can be changed and removed alone, and is named in audit entries', async () => {
    const input = { name: 'Shop', type: 'full', tags: ['live'], responsible_id: admin.personId };
    const made = dataOf(await keys.create(input));
    const shown = { ...shownFor(admin), is_member: true };
    expect(made['responsible']).toEqual(shown);
    expect((await keys.find(made.id)).responsible).toEqual(shown);
    expect(dataOf(await keys.change(made.id, { responsible_id: viewer.personId }))).toMatchObject({
      responsible: shownFor(viewer),
      tags: ['live'],
    });
    expect(dataOf(await keys.change(made.id, { responsible_id: null }))['responsible']).toBeNull();
    expect((await auditOf(made['uuid'])).map(({ changes }) => changes)).toMatchObject([
      { responsible: { from: viewer.personName, to: null } },
      { responsible: { from: admin.personName, to: viewer.personName } },
      { responsible: admin.personName },
    ]);
  });

  test('is still named after they left the account, and shown under a new name while they belong to it', async () => {
    const { personId } = await account.member('support');
    const { id } = await account.key();
    await keys.change(id, { responsible_id: personId });
    await ctx.db.update(people).set({ name: 'Maria Silva' }).where(eq(people.id, personId));
    expect((await keys.read(id)).responsible).toMatchObject({ name: 'Maria Silva' });
    await ctx.db
      .delete(members)
      .where(and(eq(members.accountId, account.id), eq(members.personId, personId)));
    const left = { id: personId, name: 'Ida support', is_member: false };
    expect((await keys.read(id)).responsible).toEqual(left);
  });

  test('cannot be someone of another account, or nobody at all', async () => {
    const stranger = await (await api.account()).member('owner');
    for (const id of [stranger.personId, 'no-such-person']) {
      const input = { responsible_id: id };
      for (const response of [
        await keys.create({ name: 'Shop', type: 'full', ...input }),
        await keys.change((await account.key()).id, input),
      ]) {
        expect(detailsOf(response)).toEqual({
          responsible_id: ['Choose a member of this account, or nobody.'],
        });
      }
    }
  });
});

describe('revoking a key', () => {
  test('ends all its tokens immediately and keeps it in the list with the reason', async () => {
    const key = await account.key();
    const tokens = [key.token, await keys.newToken(key.id)];
    expect(await statusesOf(api, tokens)).toEqual([200, 200]);
    const response = await keys.revoke(key.id, { reason: 'leaked' });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await statusesOf(api, tokens)).toEqual([401, 401]);
    const revoked = {
      status: 'revoked',
      revoked_by: { kind: 'api_key', name: 'Production server' },
      revoked_reason: 'leaked',
      revoked_at: ctx.clock.apiTime(),
      previous_token: null,
      tokens: [],
    };
    expect(await keys.find(key.id)).toMatchObject(revoked);
    // A second time changes nothing, and neither does anything else.
    expect((await keys.revoke(key.id, { reason: 'second' })).status).toBe(204);
    expect((await keys.rotate(key.id)).status).toBe(422);
    expect((await keys.change(key.id, { name: 'Alive' })).status).toBe(422);
    expect(await keys.find(key.id)).toMatchObject(revoked);
  });

  test.each(['', 'a\u202eb', `found sk_live_${'a'.repeat(38)}`, `leaked whsec_${'a'.repeat(43)}=`])(
    'is refused with the reason %j, and changes nothing',
    async (reason) => {
      const key = await account.key();
      expect(refusedFields(await keys.revoke(key.id, { reason }))).toEqual(['reason']);
      expect(await statusOf(api, key.token)).toBe(200);
    },
  );
});

/** The audit entries about a key, newest first. */
async function auditOf(uuid: unknown) {
  return itemsOf(await caller.get(`/api/v1/audit-log?target=${String(uuid)}`));
}
