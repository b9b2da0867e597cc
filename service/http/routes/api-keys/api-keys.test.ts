import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let token: string;

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  account = await api.account();
  token = (await account.key()).token;
});
afterAll(() => ctx.dispose());

describe('creating a key', () => {
  test('returns the key, its token once, and a message to save it', async () => {
    const response = await create({
      name: ' Returns portal ',
      type: 'limited',
      scopes: ['webhooks:manage'],
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        uuid: expect.any(String),
        name: 'Returns portal',
        type: 'limited',
        scopes: ['webhooks:read', 'webhooks:manage'],
        last_four: dataOf(response)['token']?.toString().slice(-4),
        status: 'active',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
        created_by: { kind: 'api_key', id: expect.any(String), name: 'Production server' },
        expires_at: null,
        last_used_at: null,
        last_used_ip: null,
        revoked_at: null,
        rotated_at: null,
        revoked_by: null,
        revoked_reason: null,
        allowed_cidrs: [],
        description: null,
        tags: [],
        responsible: null,
        rate_limit_per_minute: null,
        previous_token: null,
        tokens: [
          {
            id: expect.any(Number),
            last_four: dataOf(response)['last_four'],
            created_at: dataOf(response)['created_at'],
            created_by: { kind: 'api_key', id: expect.any(String), name: 'Production server' },
            valid_until: null,
            last_used_at: null,
            unconfirmed: null,
          },
        ],
        token: expect.stringMatching(/^sk_live_[0-9A-Za-z]{38}$/),
        message: 'Save this token now; it will not be shown again.',
      },
    });
  });

  test('the token is neither in the list nor in the database', async () => {
    const secret = String(dataOf(await create({ name: 'Once', type: 'full' }))['token']);
    const list = await api.call('GET', '/api/v1/api-keys', { token });
    expect(list.text).not.toContain('sk_live_');
    const dump = JSON.stringify(
      await ctx.db.query.apiKeyTokens.findMany(),
      (_key, value: unknown) => value,
    );
    expect(dump).not.toContain(secret.slice(8));
  });

  test.each([
    ['no scopes for a limited key', { type: 'limited' }, 'scopes'],
    ['an empty list of scopes', { type: 'full', scopes: [] }, 'scopes'],
    ['a scope twice', { type: 'limited', scopes: ['events:read', 'events:read'] }, 'scopes'],
    ['an unknown scope', { type: 'limited', scopes: ['everything'] }, 'scopes'],
    ['a bot scope for a webhook key', { type: 'webhook', scopes: ['messages:write'] }, 'scopes'],
    ['a webhook scope for a bot key', { type: 'bot', scopes: ['webhooks:read'] }, 'scopes'],
    ['an unknown type', { type: 'admin' }, 'type'],
    ['an expiry in the past', { type: 'full', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry without a zone', { type: 'full', expires_at: '2030-01-01T00:00:00' }, 'expires_at'],
    ['no network', { type: 'full', allowed_cidrs: ['198.51.100.300/32'] }, 'allowed_cidrs'],
    ['an empty name', { type: 'full', name: '  ' }, 'name'],
    ['a name of 101 characters', { type: 'full', name: 'x'.repeat(101) }, 'name'],
    ['a name that reads backwards', { type: 'full', name: 'a\u202eb' }, 'name'],
    ['a name with NUL', { type: 'full', name: 'a\u0000b' }, 'name'],
    ['a token in the name', { type: 'full', name: `sk_live_${'a'.repeat(38)}` }, 'name'],
    ['a lone surrogate in the name', { type: 'full', name: 'a\ud800' }, 'name'],
    ['a field it does not know', { type: 'full', is_admin: true }, 'is_admin'],
  ])('with %s is refused at that field', async (_what, input, field) => {
    const response = await create({ name: 'Key', ...input });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test.each([
    ['a soft hyphen', 'Pro\u00adduction', 'U+00AD'],
    ['a grapheme joiner', 'Pro\u034fduction', 'U+034F'],
    ['a Hangul filler', '\u3164', 'U+3164'],
    ['an annotation mark', 'Pro\ufff9duction', 'U+FFF9'],
    ['a tag character', 'Pro\u{e0061}duction', 'U+E0061'],
    ['a zero-width joiner', 'Pro\u200dduction', 'U+200D'],
    ['a line break', 'Pro\nduction', 'U+000A'],
  ])(
    'with %s in the name is refused, and the message names the character',
    async (_, name, point) => {
      const response = await create({ name, type: 'full' });
      expect(response.status).toBe(422);
      expect(detailsOf(response)).toEqual({
        name: [
          `Remove ${point}. Control, text-direction and other invisible characters are not allowed.`,
        ],
      });
    },
  );

  test.each(['\ufe0f', '\u2800'])(
    'with a name of nothing visible, %j, is refused',
    async (name) => {
      expect(detailsOf(await create({ name, type: 'full' }))).toHaveProperty('name');
    },
  );

  test.each([
    'Shop ❤\ufe0f',
    'Scotland \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '葛\u{e0100}飾区',
    'سنة \u06dd',
  ])('accepts the name %j', async (name) => {
    expect(dataOf(await create({ name, type: 'full' }))['name']).toBe(name);
  });

  test('with an empty body names every missing field', async () => {
    const response = await api.call('POST', '/api/v1/api-keys', { token });
    expect(Object.keys(detailsOf(response)).toSorted()).toEqual(['name', 'type']);
  });

  test('a key cannot make one that may do more than itself', async () => {
    const narrow = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    for (const stronger of [
      { type: 'full' },
      { type: 'limited', scopes: ['webhooks:manage'] },
      { type: 'bot' },
    ]) {
      const response = await create({ name: 'More', ...stronger }, narrow.token);
      expect(response.status).toBe(403);
    }
    const same = await create(
      { name: 'Same', type: 'limited', scopes: ['webhooks:read'] },
      narrow.token,
    );
    expect(same.status).toBe(201);
  });

  test('a full key with a list of scopes cannot make one that gets new scopes automatically', async () => {
    const all = dataOf(await create({ name: 'All', type: 'full' }))['scopes'];
    const today = await create({ name: 'Today', type: 'full', scopes: all });
    const grown = await create({ name: 'Future', type: 'full' }, String(dataOf(today)['token']));
    expect(grown.status).toBe(403);
  });

  test.each(['webhook', 'bot'])(
    'a limited key cannot make a %s key that grows with new scopes',
    async (type) => {
      const all = dataOf(await create({ name: 'All', type: 'full' }))['scopes'];
      const limited = await create({ name: 'Limited', type: 'limited', scopes: all });
      const maker = String(dataOf(limited)['token']);
      expect((await create({ name: 'Future', type }, maker)).status).toBe(403);
      const future = dataOf(await create({ name: 'Future', type }));
      expect((await rotate(future['id'], {}, maker)).status).toBe(403);
      const today = await create({ name: 'Today', type, scopes: future['scopes'] }, maker);
      expect(today.status).toBe(201);
      expect((await rotate(dataOf(today)['id'], {}, maker)).status).toBe(201);
    },
  );

  test('a key cannot make one that outlives it or is used from elsewhere', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + hourMs).toISOString();
    const bound = await account.key({ expiresAt, allowedCidrs: ['203.0.113.0/24'] });
    const asBound = { expires_at: expiresAt, allowed_cidrs: ['203.0.113.0/28'] };
    for (const wider of [
      { ...asBound, expires_at: null },
      { ...asBound, allowed_cidrs: [] },
      { ...asBound, allowed_cidrs: ['203.0.112.0/23'] },
    ]) {
      const response = await create({ name: 'Wider', type: 'full', ...wider }, bound.token);
      expect(response.status).toBe(403);
    }
    expect((await create({ name: 'As bound', type: 'full', ...asBound }, bound.token)).status).toBe(
      201,
    );
  });

  test('stops at 200 active keys', async () => {
    const full = await api.account();
    const { token: first } = await full.key();
    // Copies of the first key’s row, because creating 198 keys takes a second or two.
    const [row] = await ctx.db.select().from(apiKeys).where(eq(apiKeys.accountId, full.id));
    if (!row) throw new Error('the first key is not there');
    const { id: _id, uuid: _uuid, ...rest } = row;
    await ctx.db.insert(apiKeys).values(Array.from({ length: 198 }, () => rest));
    expect((await create({ name: 'The last', type: 'full' }, first)).status).toBe(201);
    const response = await create({ name: 'One more', type: 'full' }, first);
    expect(response.status).toBe(422);
    expect(detailsOf(response)['body']?.[0]).toContain('200');
  });
});

describe('rotating a key', () => {
  test('says in its message how long the old token stays valid', async () => {
    const key = await account.key();
    const response = await rotate(key.id, { grace_period_seconds: 3600 });
    const until = new Date(ctx.clock.now().getTime() + hourMs).toISOString().replace('Z', '+00:00');
    expect(dataOf(response)['message']).toBe(
      `Save this token now; it will not be shown again. The old token stays valid for 1 hour, until ${until}.`,
    );
  });

  test('shows the older token in the list while it is valid', async () => {
    const key = await account.key();
    await rotate(key.id);
    const listed = await find(key.id);
    expect(listed).toMatchObject({
      status: 'rotating',
      previous_token: {
        last_four: key.lastFour,
        replaced_at: ctx.clock.now().toISOString().replace('Z', '+00:00'),
      },
    });
    ctx.clock.advance(dayMs);
    expect(await find(key.id)).toMatchObject({ status: 'active', previous_token: null });
  });

  test('sets the key’s last_rotated_at, which is null before the first rotation', async () => {
    const key = await account.key();
    expect(await find(key.id)).toMatchObject({ rotated_at: null });
    ctx.clock.advance(1000);
    await rotate(key.id, { grace_period_seconds: 0 });
    const rotated_at = ctx.clock.now().toISOString().replace('Z', '+00:00');
    expect(await find(key.id)).toMatchObject({ rotated_at, previous_token: null });
    ctx.clock.advance(1000);
    expect(await find(key.id)).toMatchObject({ rotated_at });
  });

  test('with a grace period of 0 ends the old token at once, cached or not', async () => {
    const key = await account.key();
    expect((await me(key.token)).status).toBe(200);
    const response = await rotate(key.id, { grace_period_seconds: 0 });
    expect((await me(key.token)).status).toBe(401);
    expect(dataOf(response)['message']).toContain('Every older token has stopped working.');
  });

  test('states on every call with the old token when it ends', async () => {
    const key = await account.key();
    expect((await me(key.token)).headers.get('API-Key-Expires')).toBeNull();
    const fresh = tokenOf(await rotate(key.id));
    const until = new Date(ctx.clock.now().getTime() + dayMs).toISOString().replace('Z', '+00:00');
    expect((await me(key.token)).headers.get('API-Key-Expires')).toBe(until);
    expect((await me(fresh)).headers.get('API-Key-Expires')).toBeNull();
  });

  test('states the end of the key if it comes before that of the old token', async () => {
    const key = await account.key();
    await rotate(key.id);
    const end = new Date(ctx.clock.now().getTime() + hourMs).toISOString().replace('Z', '+00:00');
    const body = { expires_at: end };
    await api.call('PATCH', `/api/v1/api-keys/${key.id}`, { token, body });
    expect((await me(key.token)).headers.get('API-Key-Expires')).toBe(end);
  });

  test('a second time, after a lost response, ends the unseen token and not the one in use', async () => {
    const key = await account.key();
    await me(key.token);
    const lost = tokenOf(await rotate(key.id));
    const second = await rotate(key.id);
    expect((await me(key.token)).status).toBe(200);
    expect((await me(lost)).status).toBe(401);
    expect((await me(tokenOf(second))).status).toBe(200);
    expect(dataOf(second)['message']).toContain(lost.slice(-4));
  });

  test('a second time, after the new token was used, leaves all three valid', async () => {
    const key = await account.key();
    const second = tokenOf(await rotate(key.id));
    expect((await me(second)).status).toBe(200);
    const third = tokenOf(await rotate(key.id));
    for (const each of [key.token, second, third]) expect((await me(each)).status).toBe(200);
  });

  test('never gives a grace period beyond the end of the key', async () => {
    const expires = new Date(ctx.clock.now().getTime() + hourMs);
    const key = await account.key({ expiresAt: expires.toISOString() });
    await rotate(key.id);
    expect(await find(key.id)).toMatchObject({
      previous_token: { valid_until: expires.toISOString().replace('Z', '+00:00') },
    });
  });

  test('an expired key cannot be rotated', async () => {
    const expires = new Date(ctx.clock.now().getTime() + 1000);
    const key = await account.key({ expiresAt: expires.toISOString() });
    ctx.clock.advance(1000);
    expect((await rotate(key.id)).status).toBe(422);
    expect(await find(key.id)).toMatchObject({ status: 'expired' });
  });

  test('changes nothing when somebody else rotated first, and says who and when', async () => {
    const key = await account.key();
    const fresh = tokenOf(await rotate(key.id));
    const response = await rotate(key.id, { expected_last_four: key.lastFour });
    expect(response.status).toBe(422);
    expect(detailsOf(response)['expected_last_four']?.[0]).toMatch(
      /^This key was already rotated at .+ by Production server\.$/,
    );
    expect((await me(fresh)).status).toBe(200);
    expect((await me(key.token)).status).toBe(200);
  });

  test('is refused to a token in its grace period, which can still do everything else', async () => {
    const key = await account.key();
    await rotate(key.id);
    expect((await rotate(key.id, {}, key.token)).status).toBe(403);
    expect((await create({ name: 'Mine', type: 'full' }, key.token)).status).toBe(403);
    expect((await api.call('GET', '/api/v1/api-keys', { token: key.token })).status).toBe(200);
  });

  test('is refused for a key that reaches further than the caller', async () => {
    const strong = await account.key();
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    expect((await rotate(strong.id, {}, narrow.token)).status).toBe(403);
    expect((await rotate(narrow.id, {}, narrow.token)).status).toBe(201);
  });

  test('in another account is the same 404 as for a key that does not exist', async () => {
    const stranger = await (await api.account()).key();
    const theirs = await rotate(stranger.id);
    const none = await rotate(2_000_000_000);
    const nonsense = await rotate('not-an-id');
    expect([theirs.status, none.status, nonsense.status]).toEqual([404, 404, 404]);
    expect(theirs.text).toBe(none.text);
    expect(nonsense.text).toBe(none.text);
    expect((await rotate(stranger.uuid)).text).toBe(none.text);
  });

  test.each([
    ['a fraction', { grace_period_seconds: 1.5 }, 'grace_period_seconds'],
    ['more than 7 days', { grace_period_seconds: 604_801 }, 'grace_period_seconds'],
    ['text', { grace_period_seconds: '60' }, 'grace_period_seconds'],
    ['a field it does not know', { grace: 1 }, 'grace'],
  ])('with %s is refused at that field', async (_what, body, field) => {
    const key = await account.key();
    expect(Object.keys(detailsOf(await rotate(key.id, body)))).toEqual([field]);
  });

  test('with a body that is not a JSON object is refused', async () => {
    const key = await account.key();
    for (const body of ['{', '[0]', '"text"', 'false', '\ufffd{}']) {
      const response = await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, { token, body });
      expect(response.status).toBe(422);
      expect(Object.keys(detailsOf(response))).toEqual(['body']);
    }
  });

  test('with a body that is not JSON by its type is 415', async () => {
    const key = await account.key();
    const response = await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, {
      token,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grace_period_seconds=0',
    });
    expect(response.status).toBe(415);
    expect(response.body).toMatchObject({ error: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  test('with a body above 1 MiB is 413', async () => {
    const key = await account.key();
    const response = await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, {
      token,
      body: JSON.stringify({ expected_last_four: 'x'.repeat(1_048_576) }),
    });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ error: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});

describe('one key', () => {
  test('is returned by id and by UUID as the list shows it', async () => {
    const key = await account.key();
    const byId = await api.call('GET', `/api/v1/api-keys/${key.id}`, { token });
    const byUuid = await api.call('GET', `/api/v1/api-keys/${key.uuid.toUpperCase()}`, { token });
    expect(dataOf(byId)).toEqual(await find(key.id));
    expect(byUuid.text).toBe(byId.text);
  });
});

describe('changing a key', () => {
  test('changes the given fields, at once for all its tokens', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    const list = () => api.call('GET', '/api/v1/webhooks', { token: key.token });
    expect((await list()).status).toBe(200);
    const response = await patch(key.id, { name: 'Renamed', scopes: ['messages:write'] });
    expect(dataOf(response)).toMatchObject({ name: 'Renamed', scopes: ['messages:write'] });
    expect((await list()).status).toBe(403);
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
    const response = await patch(key.id, change);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('cannot remove the scopes of a limited key', async () => {
    const key = await account.key({ scopes: ['webhooks:read'] });
    expect(Object.keys(detailsOf(await patch(key.id, { scopes: null })))).toEqual(['scopes']);
  });

  test('is refused when the key reaches further than the caller, before or after', async () => {
    const narrow = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const strong = await account.key();
    const weak = await account.key({ scopes: ['webhooks:read'] });
    expect((await patch(strong.id, { name: 'Mine' }, narrow.token)).status).toBe(403);
    expect((await patch(weak.id, { scopes: ['events:read'] }, narrow.token)).status).toBe(403);
    expect((await patch(weak.id, { name: 'Fine' }, narrow.token)).status).toBe(200);
  });

  test('lets no key extend its own reach', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + hourMs).toISOString();
    const bound = await account.key({ expiresAt, allowedCidrs: ['203.0.113.0/24'] });
    expect((await patch(bound.id, { expires_at: null }, bound.token)).status).toBe(403);
    expect((await patch(bound.id, { allowed_cidrs: [] }, bound.token)).status).toBe(403);
    const own = await account.key({ scopes: ['api-keys:manage'] });
    expect((await patch(own.id, { scopes: ['audit-log:read'] }, own.token)).status).toBe(403);
  });

  test('is refused to a token in its grace period', async () => {
    const key = await account.key();
    await rotate(key.id);
    expect((await patch(key.id, { name: 'Mine' }, key.token)).status).toBe(403);
  });

  test('does not bring an expired key back', async () => {
    const soon = new Date(ctx.clock.now().getTime() + 1000).toISOString();
    const key = await account.key({ expiresAt: soon });
    ctx.clock.advance(1000);
    expect((await patch(key.id, { expires_at: null })).status).toBe(422);
    expect((await me(key.token)).status).toBe(401);
  });

  test('ends the token in its grace period with the key, if that comes first', async () => {
    const key = await account.key();
    await rotate(key.id);
    const soon = new Date(ctx.clock.now().getTime() + 1000);
    await patch(key.id, { expires_at: soon.toISOString() });
    expect(await find(key.id)).toMatchObject({
      previous_token: { valid_until: soon.toISOString().replace('Z', '+00:00') },
    });
  });
});

describe('revoking a key', () => {
  test('ends all its tokens at once and keeps it in the list with the reason', async () => {
    const key = await account.key();
    const fresh = tokenOf(await rotate(key.id));
    expect((await me(key.token)).status).toBe(200);
    const response = await revoke(key.id, { reason: 'leaked' });
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect((await me(key.token)).status).toBe(401);
    expect((await me(fresh)).status).toBe(401);
    expect(await find(key.id)).toMatchObject({
      status: 'revoked',
      revoked_by: { kind: 'api_key', name: 'Production server' },
      revoked_reason: 'leaked',
      revoked_at: ctx.clock.now().toISOString().replace('Z', '+00:00'),
      previous_token: null,
    });
  });

  test('a second time changes nothing', async () => {
    const key = await account.key();
    await revoke(key.id, { reason: 'first' });
    expect((await revoke(key.id, { reason: 'second' })).status).toBe(204);
    expect(await find(key.id)).toMatchObject({ revoked_reason: 'first' });
  });

  test.each(['', 'a\u202eb', `found sk_live_${'a'.repeat(38)}`, `leaked whsec_${'a'.repeat(43)}=`])(
    'is refused with the reason %j, and changes nothing',
    async (reason) => {
      const key = await account.key();
      const refused = await revoke(key.id, { reason });
      expect(refused.status).toBe(422);
      expect(Object.keys(detailsOf(refused))).toEqual(['reason']);
      expect((await me(key.token)).status).toBe(200);
    },
  );

  test('leaves nothing to rotate or change', async () => {
    const key = await account.key();
    await revoke(key.id);
    expect((await rotate(key.id)).status).toBe(422);
    expect((await patch(key.id, { name: 'Alive' })).status).toBe(422);
  });

  test('is refused for a key that reaches further, and to a token in its grace period', async () => {
    const strong = await account.key();
    const narrow = await account.key({ scopes: ['api-keys:manage'] });
    expect((await revoke(strong.id, undefined, narrow.token)).status).toBe(403);
    await rotate(strong.id);
    expect((await revoke(narrow.id, undefined, strong.token)).status).toBe(403);
  });
});

describe('ending the grace period', () => {
  test('ends the older token at once and leaves the newest', async () => {
    const key = await account.key();
    const fresh = tokenOf(await rotate(key.id));
    expect((await me(key.token)).status).toBe(200);
    expect((await endGrace(key.id)).status).toBe(204);
    expect((await me(key.token)).status).toBe(401);
    expect((await me(fresh)).status).toBe(200);
    expect(await find(key.id)).toMatchObject({ status: 'active', previous_token: null });
  });

  test('is 404 when no older token is valid', async () => {
    expect((await endGrace((await account.key()).id)).status).toBe(404);
  });

  test('is 404 once the key is revoked or expired', async () => {
    const [revoked, expired] = [await account.key(), await account.key()];
    for (const key of [revoked, expired]) await rotate(key.id);
    await api.call('DELETE', `/api/v1/api-keys/${revoked.id}`, { token });
    const end = new Date(ctx.clock.now().getTime() + 1000).toISOString();
    const body = { expires_at: end };
    await api.call('PATCH', `/api/v1/api-keys/${expired.id}`, { token, body });
    ctx.clock.advance(1000);
    expect((await endGrace(revoked.id)).status).toBe(404);
    expect((await endGrace(expired.id)).status).toBe(404);
  });
});

describe('where a key may be used from', () => {
  test('calls get 403 from outside its networks and 200 from inside', async () => {
    const key = await account.key({ allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (address: string) =>
      api.call('GET', '/api/v1/api-key', {
        token: key.token,
        headers: { 'x-client-address': address },
      });
    expect((await from('203.0.113.200')).status).toBe(200);
    expect((await from('2001:db8::7')).status).toBe(200);
    expect((await from('198.51.100.1')).status).toBe(403);
  });
});

describe('last use', () => {
  test('the first use of a token is stored before the response, later ones in batches', async () => {
    const key = await account.key();
    await me(key.token);
    const first = await find(key.id);
    expect(first).toMatchObject({
      last_used_at: ctx.clock.now().toISOString().replace('Z', '+00:00'),
      last_used_ip: '203.0.113.7',
    });
    ctx.clock.advance(5000);
    await me(key.token);
    expect(await find(key.id)).toEqual(first);
    await ctx.usage.flush();
    expect(await find(key.id)).toMatchObject({
      last_used_at: ctx.clock.now().toISOString().replace('Z', '+00:00'),
    });
  });
});

async function create(body: unknown, as = token) {
  return await api.call('POST', '/api/v1/api-keys', { token: as, body });
}

async function rotate(key: number | string, body: unknown = {}, as = token) {
  return await api.call('POST', `/api/v1/api-keys/${key}/rotate`, { token: as, body });
}

async function patch(key: number, body: unknown, as = token) {
  return await api.call('PATCH', `/api/v1/api-keys/${key}`, { token: as, body });
}

async function revoke(key: number, body?: unknown, as = token) {
  return await api.call('DELETE', `/api/v1/api-keys/${key}`, { token: as, body });
}

async function endGrace(key: number) {
  return await api.call('DELETE', `/api/v1/api-keys/${key}/previous-token`, { token });
}

async function me(as: string) {
  return await api.call('GET', '/api/v1/api-key', { token: as });
}

async function find(id: number) {
  const response = await api.call('GET', '/api/v1/api-keys', { token });
  const { data } = response.body as { data: { id: number }[] };
  return data.find((key) => key.id === id);
}

function tokenOf(response: ApiResponse): string {
  return String(dataOf(response)['token']);
}
