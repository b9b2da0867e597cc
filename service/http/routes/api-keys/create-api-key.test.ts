import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

describe('creating a key', () => {
  test('returns the key, its token once, and a message to save it', async () => {
    const response = await keys.create({
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
        may_rotate_itself: false,
        previous_token: null,
        tokens: [
          {
            id: expect.any(Number),
            last_four: dataOf(response)['last_four'],
            created_at: dataOf(response)['created_at'],
            created_by: { kind: 'api_key', id: expect.any(String), name: 'Production server' },
            valid_until: null,
            last_used_at: null,
            last_used_ip: null,
            last_used_user_agent: null,
            unconfirmed: null,
          },
        ],
        token: expect.stringMatching(/^sk_live_[0-9A-Za-z]{38}$/),
        message: 'Save this token now; it will not be shown again.',
      },
    });
  });

  test('the token is neither in the list nor in the database', async () => {
    const secret = tokenOf(await keys.create({ name: 'Once', type: 'full' }));
    const list = await caller.get('/api/v1/api-keys');
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
    const response = await keys.create({ name: 'Key', ...input });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('with an empty list of scopes is refused with advice that a limited key can follow', async () => {
    const { scopes } = detailsOf(await keys.create({ name: 'Key', type: 'limited', scopes: [] }));
    expect(scopes).toEqual([
      'Give at least one scope. For all scopes of the type, leave the field out, unless the key is limited.',
    ]);
  });

  test.each([
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Hindi', '\u0915\u094d\u200d\u0937'],
    ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ])('keeps the joiner in a name in %s', async (_language, name) => {
    const response = await keys.create({ name, type: 'full' });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({ name });
  });

  test.each([
    ['a soft hyphen', 'Pro\u00adduction', 'the invisible character after “Pro” (U+00AD)'],
    ['a grapheme joiner', 'Pro\u034fduction', 'the invisible character after “Pro” (U+034F)'],
    ['a Hangul filler', '\u3164', 'the invisible character at the start (U+3164)'],
    ['an annotation mark', '\ufff9Production', 'the invisible character at the start (U+FFF9)'],
    ['a tag character', 'Pro \u{e0061}', 'the invisible character after “Pro” (U+E0061)'],
    ['a zero-width joiner', 'Pro\u200dduction', 'the invisible character after “Pro” (U+200D)'],
    [
      'a soft hyphen in a second line',
      'Pro\nd\u00aduction',
      'the invisible character after “d” (U+00AD)',
    ],
    [
      'a soft hyphen before a line',
      'Pro\n\u00adduction',
      'the invisible character at the start of a line (U+00AD)',
    ],
    ['a line break', 'Pro\nduction', 'the line break after “Pro” (U+000A)'],
    ['a tab', 'Pro\tduction', 'the tab after “Pro” (U+0009)'],
    [
      'a zero-width space after a long text',
      `${'Lorem ipsum '.repeat(4)}dolor\u200b`,
      'the invisible character after “um dolor” (U+200B)',
    ],
  ])('with %s in the name is refused, and the message says where it is', async (_, name, what) => {
    const response = await keys.create({ name, type: 'full' });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ name: [`Remove ${what}.`] });
  });

  test.each(['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f937}\u{1f3fd}\u200d\u2640\ufe0f'])(
    'with the combined emoji %s in the name is refused, and the message says that other emoji are allowed',
    async (emoji) => {
      const response = await keys.create({ name: `Family ${emoji}`, type: 'full' });
      expect(response.status).toBe(422);
      expect(detailsOf(response)).toEqual({
        name: [
          `Leave out combined emoji such as \u{1f468}\u200d\u{1f469}\u200d\u{1f467}: they contain invisible characters. Simple emoji such as \u{1f600} are allowed.`,
        ],
      });
    },
  );

  test.each(['\ufe0f', '\u2800'])(
    'with a name of nothing visible, %j, is refused',
    async (name) => {
      expect(detailsOf(await keys.create({ name, type: 'full' }))).toHaveProperty('name');
    },
  );

  test.each([
    'Shop ❤\ufe0f',
    'Scotland \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '葛\u{e0100}飾区',
    'سنة \u06dd',
  ])('accepts the name %j', async (name) => {
    expect(dataOf(await keys.create({ name, type: 'full' }))['name']).toBe(name);
  });

  test('with an empty body names every missing field', async () => {
    const response = await caller.post('/api/v1/api-keys');
    expect(Object.keys(detailsOf(response)).toSorted()).toEqual(['name', 'type']);
  });

  const wrongFields = {
    expires_at: '2020-01-01T00:00:00+00:00',
    allowed_cidrs: ['nowhere', '10.0.0.0/8'],
    responsible_id: crypto.randomUUID(),
    rate_limit_per_minute: 1_000_000,
  };

  test.each([
    ['only these are wrong', { name: 'Wrong' }, []],
    ['the scopes do not fit the type', { name: 'Wrong', scopes: ['webhooks:read'] }, ['scopes']],
    [
      'other fields are wrong as well',
      { name: '', scopes: ['webhooks:read'], unknown: 1 },
      ['name', 'scopes', 'unknown'],
    ],
  ])('names everything that is wrong at once, if %s', async (_what, more, named) => {
    const response = await keys.create({ type: 'bot', ...wrongFields, ...more });
    expect(response.status).toBe(422);
    const expected = [...Object.keys(wrongFields), ...named];
    expect(Object.keys(detailsOf(response)).toSorted()).toEqual(expected.toSorted());
  });

  test('a key cannot make one that may do more than itself', async () => {
    const narrow = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    for (const stronger of [
      { type: 'full' },
      { type: 'limited', scopes: ['webhooks:manage'] },
      { type: 'bot' },
    ]) {
      const response = await keys.as(narrow.token).create({ name: 'More', ...stronger });
      expect(response.status).toBe(403);
    }
    const same = { name: 'Same', type: 'limited', scopes: ['webhooks:read'] };
    expect((await keys.as(narrow.token).create(same)).status).toBe(201);
  });

  test('a full key with a list of scopes cannot make one that gets new scopes automatically', async () => {
    const all = dataOf(await keys.create({ name: 'All', type: 'full' }))['scopes'];
    const today = await keys.create({ name: 'Today', type: 'full', scopes: all });
    const grown = await keys.as(tokenOf(today)).create({ name: 'Future', type: 'full' });
    expect(grown.status).toBe(403);
  });

  test.each(['webhook', 'bot'])(
    'a limited key cannot make a %s key that grows with new scopes',
    async (type) => {
      const all = dataOf(await keys.create({ name: 'All', type: 'full' }))['scopes'];
      const limited = await keys.create({ name: 'Limited', type: 'limited', scopes: all });
      const maker = keys.as(tokenOf(limited));
      expect((await maker.create({ name: 'Future', type })).status).toBe(403);
      const future = dataOf(await keys.create({ name: 'Future', type }));
      expect((await maker.rotate(future.id)).status).toBe(403);
      const today = await maker.create({ name: 'Today', type, scopes: future['scopes'] });
      expect(today.status).toBe(201);
      expect((await maker.rotate(dataOf(today).id)).status).toBe(201);
    },
  );

  test('a key cannot make one that outlives it or is used from elsewhere', async () => {
    const expiresAt = ctx.clock.apiTime(hourMs);
    const bound = await account.key({ expiresAt, allowedCidrs: ['203.0.113.0/24'] });
    const asBound = { expires_at: expiresAt, allowed_cidrs: ['203.0.113.0/28'] };
    for (const wider of [
      { ...asBound, expires_at: null },
      { ...asBound, allowed_cidrs: [] },
      { ...asBound, allowed_cidrs: ['203.0.112.0/23'] },
    ]) {
      const response = await keys.as(bound.token).create({ name: 'Wider', type: 'full', ...wider });
      expect(response.status).toBe(403);
    }
    const equal = await keys.as(bound.token).create({ name: 'As bound', type: 'full', ...asBound });
    expect(equal.status).toBe(201);
  });

  test('stops at 200 active keys', async () => {
    const full = await api.account();
    const { token: first } = await full.key();
    // Copies of the first key’s row, because creating 198 keys takes a second or two.
    const [row] = await ctx.db.select().from(apiKeys).where(eq(apiKeys.accountId, full.id));
    if (!row) throw new Error('the first key is not there');
    const { id: _id, uuid: _uuid, ...rest } = row;
    await ctx.db.insert(apiKeys).values(Array.from({ length: 198 }, () => rest));
    expect((await keys.as(first).create({ name: 'The last', type: 'full' })).status).toBe(201);
    const response = await keys.as(first).create({ name: 'One more', type: 'full' });
    expect(response.status).toBe(422);
    expect(detailsOf(response)['body']?.[0]).toContain('200');
  });
});
