import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DeskResults, FoundToken } from '#lib/contract/support-desk/support-desk.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { accounts } from '../../db/schema/people/accounts.ts';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../db/schema/api-keys/api-keys.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { deskSearches } from '../../db/schema/people/support.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { applyAuditRetention } from '../../domain/retention/apply-audit-retention.ts';
import { dataOf, itemsOf, TestAccount, TestApi } from '../../testing/api.ts';
import type { ApiResponse } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';
import {
  addAccount,
  addMember,
  addPerson,
  addSupporter,
  addVisit,
} from '../../testing/records/people.ts';
import { addSessionsById, callAs, withSessionsById } from '../../testing/sessions.ts';

let ctx: TestContext;
let api: TestApi;
let supporter: { personId: string };
let account: TestAccount;
let marker: string;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  // A part of every name, so that suites do not find each other's rows.
  marker = crypto.randomUUID().slice(0, 13);
  account = new TestAccount(ctx, await addAccount(ctx, `Halden ${marker}`));
  supporter = await newSupporter();
});

async function newSupporter(): Promise<{ personId: string }> {
  const { id: personId } = await addPerson(ctx, { name: 'Priya Nair' });
  await addSupporter(ctx, personId);
  await addSessionsById(ctx, [personId]);
  return { personId };
}

async function search(text: string, as = supporter): Promise<ApiResponse> {
  return await callAs(api, as, ['POST', '/api/dashboard/support-desk/searches', { search: text }]);
}

async function resultsOf(text: string, as = supporter): Promise<DeskResults> {
  const response = await search(text, as);
  expect(response.status, response.text).toBe(200);
  return (response.body as { data: DeskResults }).data;
}

async function lookUp(token: string, as = supporter): Promise<FoundToken> {
  const body = { token_digest: createHash('sha256').update(token).digest('hex') };
  const response = await callAs(api, as, [
    'POST',
    '/api/dashboard/support-desk/token-searches',
    body,
  ]);
  expect(response.status, response.text).toBe(200);
  return (response.body as { data: FoundToken }).data;
}

async function auditOf(action: string, of: TestAccount = account) {
  const { token } = await of.key({ name: 'Reads the log' });
  const response = await api.call('GET', `/api/v1/audit-log?action=${action}`, { token });
  return itemsOf(response).filter((entry) => entry['action'] === action);
}

const idsOf = (found: { items: readonly { id: number | string }[] }) =>
  found.items.map(({ id }) => id);

describe('a search finds', () => {
  test('a key by a part of its name in any case, its id, its UUID and the end of its token', async () => {
    const key = await account.key({ name: `Importer ${marker}` });
    for (const text of [
      `IMPORTER ${marker}`,
      marker,
      String(key.id),
      key.uuid,
      key.uuid.toUpperCase(),
      key.lastFour,
      `…${key.lastFour}`,
      `...${key.lastFour}`,
      `sk_live_…${key.lastFour}`,
      `sk_live_****${key.lastFour.toLowerCase()}`,
    ]) {
      const { keys } = await resultsOf(text);
      expect(idsOf(keys), text).toContain(key.id);
    }
  });

  test('a key by an older token, and says which one', async () => {
    const key = await account.key({ name: marker });
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    await api.call('POST', path, { token: key.token, body: {} });
    const { keys } = await resultsOf(`…${key.lastFour}`);
    const [found] = keys.items.filter(({ id }) => id === key.id);
    expect(found).toMatchObject({ status: 'rotating', older_last_four: key.lastFour });
    expect(found?.rotating_until).not.toBeNull();
  });

  test('a key whose newest token nobody confirmed having, and says whether somebody was shown it', async () => {
    const owner = await account.member('owner');
    await callAs(api, owner, ['POST', '/api/v1/api-keys', { name: marker, type: 'full' }]);
    const { keys } = await resultsOf(marker);
    expect(keys.items).toMatchObject([{ unconfirmed: { was_shown: true } }]);
    const ofKey = eq(apiKeyTokens.apiKeyId, keys.items[0]?.id ?? 0);
    await ctx.db.update(apiKeyTokens).set({ revealedTo: null }).where(ofKey);
    expect((await resultsOf(marker)).keys.items).toMatchObject([
      { unconfirmed: { was_shown: false } },
    ]);
    await ctx.db.update(apiKeyTokens).set({ firstUsedAt: ctx.clock.now() }).where(ofKey);
    expect((await resultsOf(marker)).keys.items).toMatchObject([{ unconfirmed: null }]);
  });

  test('a webhook by a part of its name or URL, its id and its UUID', async () => {
    const { id, uuid } = await account.webhook({ name: `Shipments ${marker}` });
    for (const text of [`shipments ${marker}`, String(id), uuid, 'EXAMPLE.com/hook']) {
      expect(idsOf((await resultsOf(text)).webhooks), text).toContain(id);
    }
  });

  test('a person by a part of their name or email address, in each account they belong to', async () => {
    const person = await addPerson(ctx, {
      name: `Sara ${marker}`,
      email: `${marker}@holm.example`,
    });
    const other = await addAccount(ctx, 'Elsewhere');
    for (const accountId of [account.id, other]) {
      await addMember(ctx, { accountId, personId: person.id, role: 'admin' });
    }
    for (const text of [`SARA ${marker}`, `${marker}@HOLM`]) {
      const { people } = await resultsOf(text);
      expect(people.items.map((found) => found.account.id).toSorted()).toEqual(
        [account.id, other].toSorted(),
      );
      expect(people.items[0]).toMatchObject({ id: person.id, role: 'admin' });
    }
  });

  test('an account by a part of its name and its id', async () => {
    for (const text of [`halden ${marker}`, account.id]) {
      expect(idsOf((await resultsOf(text)).accounts)).toEqual([account.id]);
    }
  });

  test('exact matches before others with the same text in their name', async () => {
    const key = await account.key({ name: `Old ${marker}` });
    const hook = await account.webhook({ name: `Old ${marker}` });
    const email = `a@${marker}.example`;
    const named = await addPerson(ctx, { name: `Zoe ${marker}`, email });
    await addMember(ctx, { accountId: account.id, personId: named.id, role: 'admin' });
    for (let n = 0; n < 11; n += 1) {
      await account.key({ name: `${key.id} and ${key.lastFour} ${marker}` });
      await account.webhook({ name: `${hook.id} ${marker}` });
      const other = await addPerson(ctx, {
        name: `Ann ${marker}`,
        email: `${n}a@${marker}.example`,
      });
      await addMember(ctx, { accountId: account.id, personId: other.id, role: 'viewer' });
      await addAccount(ctx, `A ${account.id} ${marker}`);
    }
    await addAccount(ctx, marker);
    expect(idsOf((await resultsOf(String(key.id))).keys)[0]).toBe(key.id);
    expect(idsOf((await resultsOf(key.lastFour)).keys)[0]).toBe(key.id);
    expect(idsOf((await resultsOf(String(hook.id))).webhooks)[0]).toBe(hook.id);
    expect((await resultsOf(email.toUpperCase())).people.items[0]?.email).toBe(email);
    expect((await resultsOf(marker)).accounts.items[0]?.name).toBe(marker);
  });

  test('at most ten of each kind, and says that there are more', async () => {
    for (let n = 0; n < 11; n += 1) await account.key({ name: `Many ${marker} ${n}` });
    const { keys } = await resultsOf(marker);
    expect(keys.items).toHaveLength(10);
    expect(keys.has_more).toBe(true);
  });
});

test('a search finds ended keys after live ones, and nothing can be done with them', async () => {
  const living = await account.key({ name: `Living ${marker}` });
  const ended = await account.key({ name: `Ended ${marker}` });
  const owner = await account.member('owner');
  await callAs(api, owner, ['DELETE', `/api/v1/api-keys/${ended.id}`]);
  const { keys } = await resultsOf(marker);
  expect(keys.items.map(({ id, status, may }) => [id, status, may])).toEqual([
    [living.id, 'active', 'request'],
    [ended.id, 'revoked', 'nothing'],
  ]);
});

test('a search shows an active webhook as failing from its third failed attempt on, or five minutes after the first', async () => {
  const { id } = await account.webhook({ name: marker });
  const isFailing = async () => (await resultsOf(marker)).webhooks.items[0]?.is_failing;
  const fail = async (failureCount: number) => {
    await ctx.db
      .update(lanes)
      .set({ failureCount, failingSince: ctx.clock.now() })
      .where(eq(lanes.webhookId, id));
  };
  expect(await isFailing()).toBe(false);
  await fail(2);
  expect(await isFailing()).toBe(false);
  ctx.clock.advance(299_999);
  expect(await isFailing()).toBe(false);
  ctx.clock.advance(1);
  expect(await isFailing()).toBe(true);
  await fail(3);
  expect(await isFailing()).toBe(true);
  await ctx.db
    .update(webhooks)
    .set({ isActive: false, inactiveReason: 'paused' })
    .where(eq(webhooks.id, id));
  expect(await isFailing()).toBe(false);
});

describe('what a person may do with a key matches what the service allows', () => {
  test('rotate within their role, request above it, and nothing as a viewer', async () => {
    const small = await account.key({ name: marker, scopes: ['webhooks:read'] });
    const full = await account.key({ name: marker });
    const mayOf = async (as: { personId: string }) =>
      Object.fromEntries((await resultsOf(marker, as)).keys.items.map(({ id, may }) => [id, may]));
    expect(await mayOf(supporter)).toEqual({ [small.id]: 'rotate', [full.id]: 'request' });
    expect(await mayOf(await account.member('support'))).toEqual({
      [small.id]: 'rotate',
      [full.id]: 'request',
    });
    expect(await mayOf(await account.member('admin'))).toEqual({
      [small.id]: 'rotate',
      [full.id]: 'rotate',
    });
    expect(await mayOf(await account.member('viewer'))).toEqual({
      [small.id]: 'nothing',
      [full.id]: 'nothing',
    });
  });

  test('installation support is told to give a reason first, until they gave one in this session', async () => {
    await account.key({ name: marker });
    const reasonFor = async () => (await resultsOf(marker)).keys.items[0]?.account.needs_reason;
    expect(await reasonFor()).toBe(true);
    const { personId } = supporter;
    await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
    expect(await reasonFor()).toBe(false);
    const owner = await account.member('owner');
    expect((await resultsOf(marker, owner)).keys.items[0]?.account.needs_reason).toBe(false);
  });
});

test('installation support sees where a key was used and who revoked it only after giving a reason', async () => {
  const used = await account.key({ name: `Used ${marker}` });
  await api.call('GET', '/api/v1/api-key', { token: used.token });
  await ctx.usage.flush();
  const ended = await account.key({ name: `Ended ${marker}` });
  const owner = await account.member('owner');
  await callAs(api, owner, ['DELETE', `/api/v1/api-keys/${ended.id}`]);
  const found = async (as = supporter) => {
    const { keys } = await resultsOf(marker, as);
    const looked = (await lookUp(used.token, as)).key;
    return [...keys.items, looked].map((key) => [
      key?.status,
      key?.last_used_at === null ? null : 'used',
      key?.last_used_ip,
      key?.revoked_by,
    ]);
  };
  const told = [
    ['active', 'used', '203.0.113.7', null],
    ['revoked', null, null, owner.personName],
    ['active', 'used', '203.0.113.7', null],
  ];
  expect(await found()).toEqual([
    ['active', 'used', null, null],
    ['revoked', null, null, null],
    ['active', 'used', null, null],
  ]);
  expect(await found(await account.member('viewer'))).toEqual(told);
  const { personId } = supporter;
  await addVisit(ctx, { accountId: account.id, personId, sessionId: personId });
  expect(await found()).toEqual(told);
});

describe('nothing is found in an account that the person cannot open:', () => {
  test.each<[string, (id: AccountId) => Promise<{ personId: string }>]>([
    [
      'installation support, where it is switched off',
      async (id) => {
        await change(id, { allowsInstallationSupport: false });
        return supporter;
      },
    ],
    [
      'installation support, where it is being deleted',
      async (id) => {
        await change(id, { deletedAt: ctx.clock.now() });
        return supporter;
      },
    ],
    [
      'installation support without a second factor, where it is required',
      async (id) => {
        await change(id, { secondFactorRequiredFrom: ctx.clock.now() });
        return supporter;
      },
    ],
    ['a member of another account', async () => await (await api.account()).member('owner')],
    ['somebody of no account', async () => ({ personId: (await addPerson(ctx)).id })],
  ])('%s', async (_, prepare) => {
    const key = await account.key({ name: marker });
    await account.webhook({ name: marker });
    const person = await addPerson(ctx, { name: marker });
    await addMember(ctx, { accountId: account.id, personId: person.id, role: 'viewer' });
    const asker = await prepare(account.id);
    const results = await resultsOf(marker, asker);
    for (const { items } of Object.values(results)) expect(items).toEqual([]);
    expect((await resultsOf(`…${key.lastFour}`, asker)).keys.items).not.toContainEqual(
      expect.objectContaining({ id: key.id }),
    );
    expect(await lookUp(key.token, asker)).toEqual(await lookUp('sk_live_unknown', asker));
  });

  test('the session is older than the account allows', async () => {
    await account.key({ name: marker });
    await change(account.id, { sessionHours: 8 });
    const old = await api.ctx.auth.session(supporter.personId);
    if (!old) throw new Error('no session');
    const createdAt = new Date(ctx.clock.now().getTime() - 8 * hourMs);
    const auth = { ...ctx.auth, session: async () => ({ ...old, createdAt }) };
    const aged = new TestApi({ ...ctx, auth });
    const response = await callAs(aged, supporter, [
      'POST',
      '/api/dashboard/support-desk/searches',
      { search: marker },
    ]);
    expect(response.body).toMatchObject({ data: { keys: { items: [] }, accounts: { items: [] } } });
  });

  async function change(id: AccountId, values: Partial<typeof accounts.$inferInsert>) {
    await ctx.db.update(accounts).set(values).where(eq(accounts.id, id));
  }
});

test('members find the contents of all their accounts, and nothing else', async () => {
  const { id: personId } = await addPerson(ctx);
  const first = await api.account();
  const second = await api.account();
  for (const { id: accountId } of [first, second]) {
    await addMember(ctx, { accountId, personId, role: 'support' });
  }
  await account.key({ name: marker });
  const mine = [await first.key({ name: marker }), await second.key({ name: marker })];
  const { keys } = await resultsOf(marker, { personId });
  expect(idsOf(keys)).toEqual(mine.map(({ id }) => id).toReversed());
});

describe('the digest of a token finds its key, and says', () => {
  test('that it is live, in its grace period, replaced, expired or revoked, and when it was used last', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + dayMs * 30).toISOString();
    const key = await account.key({ name: marker, expiresAt });
    expect(await lookUp(key.token)).toMatchObject({
      state: 'live',
      last_used_at: null,
      key: { id: key.id, account: { id: account.id } },
    });
    const rotation = { token: key.token, body: { grace_period_seconds: 3600 } };
    await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, rotation);
    await ctx.usage.flush();
    const inGrace = await lookUp(key.token);
    expect(inGrace.state).toBe('grace');
    expect(inGrace.valid_until).not.toBeNull();
    expect(inGrace.last_used_at).not.toBeNull();
    ctx.clock.advance(hourMs);
    expect((await lookUp(key.token)).state).toBe('ended');
    const other = await account.key({ name: marker, expiresAt });
    ctx.clock.advance(dayMs * 30);
    expect((await lookUp(other.token)).state).toBe('expired');
    await ctx.db
      .update(apiKeys)
      .set({ revokedAt: ctx.clock.now() })
      .where(eq(apiKeys.id, other.id));
    expect((await lookUp(other.token)).state).toBe('revoked');
  });

  test('that an invalid token is unknown', async () => {
    expect(await lookUp('sk_live_nothing')).toEqual({
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
    expect((await lookUp(found.token, support)).leak_revocations_left).toBe(3);
    const leaked = await account.key();
    const asked = await callAs(api, support, [
      'POST',
      `/api/dashboard/api-keys/${leaked.id}/rotation-requests`,
      { member: admin.personId, reason: 'leaked' },
    ]);
    const path = `/api/dashboard/rotation-requests/${String(dataOf(asked)['uuid'])}/revoke`;
    expect((await callAs(api, support, ['POST', path])).status).toBe(204);
    expect((await lookUp(found.token, support)).leak_revocations_left).toBe(2);
    ctx.clock.advance(24 * hourMs);
    expect((await lookUp(found.token, support)).leak_revocations_left).toBe(3);
  });
});

describe('an owner reads in the audit log', () => {
  test('who searched for what, only in the accounts of which something was shown', async () => {
    await account.key({ name: marker });
    const other = await api.account();
    await resultsOf(marker);
    expect(await auditOf('support_desk.searched')).toMatchObject([
      {
        actor: { kind: 'person', id: supporter.personId, name: 'Priya Nair' },
        changes: { search: marker, shown: { keys: 1, webhooks: 0, people: 0 } },
      },
    ]);
    expect(await auditOf('support_desk.searched', other)).toEqual([]);
  });

  test('who looked up a token, with its last four characters only', async () => {
    const { token, uuid, lastFour } = await account.key({ name: marker });
    await lookUp(token);
    const [entry] = await auditOf('support_desk.token_found');
    expect(entry).toMatchObject({
      target: { kind: 'api_key', id: uuid },
      changes: { last_four: lastFour, state: 'live' },
    });
    const digest = createHash('sha256').update(token).digest('hex');
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
    await account.key({ name: marker });
    await resultsOf(marker);
    await resultsOf(`no ${marker}`);
    expect(await recorded()).toMatchObject([
      {
        person: { kind: 'person', id: supporter.personId, name: 'Priya Nair' },
        at: ctx.clock.now(),
        search: marker,
        found: { keys: 1, webhooks: 0, people: 0, accounts: 1 },
        ip: expect.any(String) as string,
        requestId: expect.any(String) as string,
      },
      { search: `no ${marker}`, found: { keys: 0, webhooks: 0, people: 0, accounts: 0 } },
    ]);
    expect(await auditOf('support_desk.searched')).toHaveLength(1);
  });

  test('every look-up of a token, found or not, without any part of the token', async () => {
    const { token } = await account.key({ name: marker });
    const unknown = `sk_live_${'0'.repeat(38)}`;
    await lookUp(token);
    await lookUp(unknown);
    const rows = await recorded();
    expect(rows).toMatchObject([
      { search: null, found: { keys: 1 } },
      { search: null, found: { keys: 0 } },
    ]);
    for (const each of [token, unknown]) {
      const digest = createHash('sha256').update(each).digest('hex');
      expect(JSON.stringify(rows)).not.toContain(digest.slice(0, 8));
      expect(JSON.stringify(rows)).not.toContain(each.slice(-4));
    }
  });

  test('no search that was refused', async () => {
    await search(`whsec_${'a1B2'.repeat(11)}`);
    expect(await recorded()).toEqual([]);
  });

  test('its entries for 400 days, and nobody can change or remove them before', async () => {
    await resultsOf(marker);
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

test('a text that holds a whole token or secret is refused, and neither returned nor logged', async () => {
  const { token } = await account.key({ name: marker });
  for (const secret of [token, `my token ${token}.`, `whsec_${'a1B2'.repeat(11)}`]) {
    const response = await search(secret);
    expect(response.status).toBe(422);
    expect(response.text).not.toContain(secret);
    expect(JSON.stringify(ctx.logged)).not.toContain(secret);
  }
});

test('61 searches of either kind in a minute are one too many', async () => {
  for (let n = 0; n < 59; n += 1) await resultsOf('…0000');
  await lookUp('sk_live_nothing');
  expect((await search('…0000')).status).toBe(429);
  expect((await search('…0000', await newSupporter())).status).toBe(200);
});

test('the desk shows the person, how many accounts they can open, and which they used last', async () => {
  const { id: personId, email } = await addPerson(ctx, { name: 'Ida' });
  const first = await addAccount(ctx, 'First');
  const second = await addAccount(ctx, 'Second');
  for (const accountId of [first, second]) {
    await addMember(ctx, { accountId, personId, role: 'support' });
  }
  const open = async (pageOf: string) =>
    await callAs(api, { personId, pageOf }, ['GET', '/api/dashboard/session']);
  await open(first);
  ctx.clock.advance(600_000);
  await open(second);
  const response = await callAs(api, { personId }, ['GET', '/api/dashboard/support-desk']);
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
