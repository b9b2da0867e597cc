import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { KeyCalls } from '../../../testing/api-keys/key-calls.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
const keys = new KeyCalls(caller);

test('creating a key returns it, with its token once and a message to save it', async () => {
  const response = await keys.create({
    name: ' Returns portal ',
    type: 'limited',
    scopes: ['webhooks:manage'],
  });
  const token = tokenOf(response);
  const created = {
    last_four: token.slice(-4),
    created_at: ctx.clock.apiTime(),
    created_by: { kind: 'api_key', id: caller.uuid, name: 'Production server' },
    last_used_at: null,
    last_used_ip: null,
  };
  expect(response).toMatchObject({ status: 201, body: { success: true } });
  expect(dataOf(response)).toEqual({
    ...created,
    id: expect.any(Number),
    uuid: expect.any(String),
    name: 'Returns portal',
    type: 'limited',
    scopes: ['webhooks:read', 'webhooks:manage'],
    status: 'active',
    expires_at: null,
    paused_at: null,
    paused_by: null,
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
        ...created,
        id: expect.any(Number),
        shown_to: created.created_by,
        valid_until: null,
        last_used_user_agent: null,
        unconfirmed: null,
      },
    ],
    token: expect.stringMatching(/^sk_live_[0-9A-Za-z]{38}$/),
    message: 'Save this token now; it will not be shown again.',
  });
  expect(JSON.stringify(await ctx.db.query.apiKeyTokens.findMany())).not.toContain(token.slice(8));
});

describe('creating a key is refused', () => {
  const aToken = `sk_live_${'a'.repeat(38)}`;

  test.each([
    ['no scopes for a limited key', { type: 'limited' }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['a scope twice', { type: 'limited', scopes: ['events:read', 'events:read'] }, 'scopes'],
    ['an unknown scope', { type: 'limited', scopes: ['everything'] }, 'scopes'],
    ['a bot scope for a webhook key', { type: 'webhook', scopes: ['messages:write'] }, 'scopes'],
    ['a webhook scope for a bot key', { type: 'bot', scopes: ['webhooks:read'] }, 'scopes'],
    ['an unknown type', { type: 'admin' }, 'type'],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry without a zone', { expires_at: '2030-01-01T00:00:00' }, 'expires_at'],
    ['no network', { allowed_cidrs: ['198.51.100.300/32'] }, 'allowed_cidrs'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name that reads backwards', { name: 'a\u202eb' }, 'name'],
    ['a name with NUL', { name: 'a\u0000b' }, 'name'],
    ['a name of a variation selector', { name: '\ufe0f' }, 'name'],
    ['a name of a blank Braille pattern', { name: '\u2800' }, 'name'],
    ['a token in the name', { name: aToken }, 'name'],
    ['a lone surrogate in the name', { name: 'a\ud800' }, 'name'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 'description'],
    ['a hidden character in the description', { description: 'Shop\u202E' }, 'description'],
    ['a token in the description', { description: aToken }, 'description'],
    ['a token as a tag', { tags: [aToken] }, 'tags'],
    ['11 tags', { tags: Array.from({ length: 11 }, (_, index) => `tag ${index}`) }, 'tags'],
    ['a tag twice', { tags: ['Live', 'live '] }, 'tags'],
    ['a blank tag', { tags: [' '] }, 'tags'],
    ['a tag of 31 characters', { tags: ['x'.repeat(31)] }, 'tags'],
    ['a comma in a tag', { tags: ['one, two'] }, 'tags'],
    ['a number for the person responsible', { responsible_id: 7 }, 'responsible_id'],
    ['65 characters for them', { responsible_id: 'x'.repeat(65) }, 'responsible_id'],
    ['a list for them', { responsible_id: ['a'] }, 'responsible_id'],
    ['a rate limit of 0', { rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
    ['half a call in its rate limit', { rate_limit_per_minute: 1.5 }, 'rate_limit_per_minute'],
    ['a text as its rate limit', { rate_limit_per_minute: '10' }, 'rate_limit_per_minute'],
  ])('with %s, at that field', async (_what, input, field) => {
    const response = await keys.create({ name: 'Key', type: 'full', ...input });
    expect(refusedFields(response)).toEqual([field]);
  });

  test('with an empty list of scopes, with advice that a limited key can follow', async () => {
    const { scopes } = detailsOf(await keys.create({ name: 'Key', type: 'limited', scopes: [] }));
    expect(scopes).toEqual([
      'Use at least one scope. For all scopes of the type, omit the field, unless the key is limited.',
    ]);
  });

  const combinedEmoji =
    'Leave out combined emoji such as \u{1f468}\u200d\u{1f469}\u200d\u{1f467}: they contain invisible characters. Simple emoji such as \u{1f600} are allowed.';
  const atStart = (code: string) => `Remove the invisible character at the start (U+${code}).`;
  const after = (text: string, code: string) =>
    `Remove the invisible character after “${text}” (U+${code}).`;

  test.each([
    ['a soft hyphen', 'Pro\u00adduction', after('Pro', '00AD')],
    ['a grapheme joiner', 'Pro\u034fduction', after('Pro', '034F')],
    ['a Hangul filler', '\u3164', atStart('3164')],
    ['an annotation mark', '\ufff9Production', atStart('FFF9')],
    ['a tag character', 'Pro \u{e0061}', after('Pro', 'E0061')],
    ['a zero-width joiner', 'Pro\u200dduction', after('Pro', '200D')],
    ['a soft hyphen in a second line', 'Pro\nd\u00aduction', after('d', '00AD')],
    [
      'a soft hyphen before a line',
      'Pro\n\u00adduction',
      'Remove the invisible character at the start of a line (U+00AD).',
    ],
    ['a line break', 'Pro\nduction', 'Remove the line break after “Pro” (U+000A).'],
    ['a tab', 'Pro\tduction', 'Remove the tab after “Pro” (U+0009).'],
    [
      'a zero-width space after a long text',
      `${'Lorem ipsum '.repeat(4)}dolor\u200b`,
      after('um dolor', '200B'),
    ],
    ['a family', 'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}', combinedEmoji],
    ['a shrug with its parts', 'Family \u{1f937}\u{1f3fd}\u200d\u2640\ufe0f', combinedEmoji],
  ])('with %s in the name, and the message says what to leave out', async (_, name, message) => {
    expect(detailsOf(await keys.create({ name, type: 'full' }))).toEqual({ name: [message] });
  });

  test('with an empty body, which names every missing field', async () => {
    expect(refusedFields(await caller.post('/api/v1/api-keys'))).toEqual(['name', 'type']);
  });

  test('beyond 200 active keys', async () => {
    const full = await api.account();
    const { token } = await full.key();
    // Copies of the first key’s row, because creating 198 keys takes a second or two.
    const [row] = await ctx.db.select().from(apiKeys).where(eq(apiKeys.accountId, full.id));
    if (!row) throw new Error('the first key is not there');
    const { id: _id, uuid: _uuid, ...rest } = row;
    await ctx.db.insert(apiKeys).values(Array.from({ length: 198 }, () => rest));
    const create = async () => await keys.as(token).create({ name: 'One more', type: 'full' });
    expect((await create()).status).toBe(201);
    expect(detailsOf(await create())['body']?.[0]).toContain('200');
  });
});

describe('creating or changing a key', () => {
  const wrong = {
    expires_at: '2020-01-01T00:00:00+00:00',
    allowed_cidrs: ['nowhere', '10.0.0.0/8'],
    responsible_id: crypto.randomUUID(),
    rate_limit_per_minute: 1_000_000,
  };

  test.each([
    ['only these are wrong', {}],
    ['the scopes do not fit the type', { scopes: ['webhooks:read'] }],
    ['other fields are wrong as well', { name: '', scopes: ['webhooks:read'], unknown: 1 }],
  ])('names everything that is wrong together, if %s', async (_what, more) => {
    const expected = Object.keys({ ...wrong, ...more }).toSorted();
    const { id } = await account.key({ type: 'bot' });
    expect(refusedFields(await keys.change(id, { ...wrong, ...more }))).toEqual(expected);
    const made = await keys.create({ name: 'Wrong', type: 'bot', ...wrong, ...more });
    expect(refusedFields(made)).toEqual(expected);
  });
});

test.each([
  '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  '\u0915\u094d\u200d\u0937',
  '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
  'Shop ❤\ufe0f',
  'Scotland \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  '葛\u{e0100}飾区',
  'سنة \u06dd',
])('a name keeps the invisible characters that its language needs: %j', async (name) => {
  expect(dataOf(await keys.create({ name, type: 'full' }))['name']).toBe(name);
});

describe('a key cannot make one that may do more than itself', () => {
  test('by scopes that it lacks, or types that get new scopes automatically', async () => {
    const scopes = dataOf(await keys.create({ name: 'All', type: 'full' }))['scopes'];
    const narrow = await account.key({ scopes: ['api-keys:manage', 'webhooks:read'] });
    const today = await keys.create({ name: 'Today', type: 'full', scopes });
    const limited = await keys.create({ name: 'Limited', type: 'limited', scopes });
    for (const [token, stronger] of [
      [narrow.token, { type: 'full' }],
      [narrow.token, { type: 'limited', scopes: ['webhooks:manage'] }],
      [narrow.token, { type: 'bot' }],
      [tokenOf(today), { type: 'full' }],
      [tokenOf(limited), { type: 'webhook' }],
      [tokenOf(limited), { type: 'bot' }],
    ] as const) {
      const refused = await keys.as(token).create({ name: 'More', ...stronger });
      expect(refused.status, JSON.stringify(stronger)).toBe(403);
    }
    const same = { name: 'Same', type: 'limited', scopes: ['webhooks:read'] };
    expect((await keys.as(narrow.token).create(same)).status).toBe(201);
    const listed = { name: 'Same', type: 'bot', scopes: ['messages:write'] };
    expect((await keys.as(tokenOf(limited)).create(listed)).status).toBe(201);
  });

  test('by a later expiry or wider networks', async () => {
    const expiresAt = ctx.clock.apiTime(hourMs);
    const bound = await account.key({ expiresAt, allowedCidrs: ['203.0.113.0/24'] });
    const asBound = { expires_at: expiresAt, allowed_cidrs: ['203.0.113.0/28'] };
    const create = async (change: object) =>
      (await keys.as(bound.token).create({ name: 'B', type: 'full', ...asBound, ...change }))
        .status;
    expect(await create({ expires_at: null })).toBe(403);
    expect(await create({ allowed_cidrs: [] })).toBe(403);
    expect(await create({ allowed_cidrs: ['203.0.112.0/23'] })).toBe(403);
    expect(await create({})).toBe(201);
  });
});
