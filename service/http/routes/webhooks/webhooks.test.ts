import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { webhooks, webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { regenerateSecret } from '../../../domain/webhooks/secret/regenerate-secret.ts';
import { dataOf, detailsOf, itemsOf } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();

type Secret = typeof webhookSecrets.$inferSelect;
type Entry = { action: string; target: { id: string }; changes: unknown };

const input = {
  name: 'Order notifier',
  url: 'https://orders.example.com/hooks',
  events: ['message.created', 'conversation.closed'],
};

describe('creating a webhook', () => {
  test('returns it active, with a secret that signs and that nobody is shown', async () => {
    const response = await create(input);
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({
      ...input,
      is_active: true,
      status: 'active',
      failure_count: 0,
      last_triggered_at: null,
      secret: { created_at: iso(0), was_shown: false, previous_valid_until: null },
    });
    expect(response.text).not.toContain('whsec_');
    const [secret, ...more] = await secretsOf(dataOf(response).id);
    expect(more).toEqual([]);
    expect(secret && openSecret(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).toMatchObject({ shownTo: null, validUntil: null });
    expect(await auditOf(dataOf(response)['uuid'])).toMatchObject([
      { action: 'webhook.created', changes: { is_active: true, secret: { was_shown: false } } },
    ]);
  });

  test('inactive is being set up until it is first activated', async () => {
    const { id } = dataOf(await create({ ...input, is_active: false }));
    expect(await get(id)).toMatchObject({ status: 'pending_setup' });
    await caller.post(`/api/v1/webhooks/${id}/regenerate-secret`);
    expect(await get(id)).toMatchObject({ status: 'pending_setup' });
    await patch(id, { is_active: true });
    expect(await get(id)).toMatchObject({ status: 'active', inactive_since: null });
    await patch(id, { is_active: false });
    expect(await get(id)).toMatchObject({ status: 'paused', inactive_reason: 'paused' });
  });

  test.each([
    ['http', { url: 'http://example.com/' }, 'url'],
    ['a loopback address', { url: 'https://127.1/' }, 'url'],
    ['no address', { url: '' }, 'url'],
    ['a number as address', { url: 7 }, 'url'],
    ['a token in it', { url: `https://example.com/?key=sk_live_${'a'.repeat(38)}` }, 'url'],
    ['no event type', { events: [] }, 'events'],
    ['an unknown event type', { events: ['message.deleted'] }, 'events'],
    ['an event type twice', { events: ['message.created', 'message.created'] }, 'events'],
    ['the type of test events', { events: ['webhook.test'] }, 'events'],
    ['a text for is_active', { is_active: 'yes' }, 'is_active'],
    ['a secret in its name', { name: `whsec_${'a'.repeat(43)}=` }, 'name'],
    ['a secret of its own', { secret: 'whsec_mine' }, 'secret'],
  ])('with %s is refused at that field', async (_what, change, field) => {
    const response = await create({ ...input, ...change });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test.each([
    ['a URL that may not be called', { name: '', url: 'https://127.1/', events: [] }],
    ['no full URL', { name: '', url: 'example.com', events: [] }],
    ['an empty URL', { name: '', url: ' ', events: [] }],
  ])('with %s and other errors is refused at all these fields at once', async (_what, change) => {
    const response = await create({ ...input, ...change });
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response)).toSorted()).toEqual(['events', 'name', 'url']);
    expect(detailsOf(response)['url']).toHaveLength(1);
  });

  test('stops at 100 webhooks', async () => {
    const full = await api.account();
    const key = await full.key();
    await full.webhook();
    // Copies of the first webhook’s row, because creating 98 webhooks takes a second.
    const [row] = await ctx.db.select().from(webhooks).where(eq(webhooks.accountId, full.id));
    if (!row) throw new Error('the first webhook is not there');
    const { id: _id, uuid: _uuid, ...rest } = row;
    await ctx.db.insert(webhooks).values(Array.from({ length: 98 }, () => rest));
    expect((await create(input, key.token)).status).toBe(201);
    const response = await create(input, key.token);
    expect(response.status).toBe(422);
    expect(detailsOf(response)['body']?.[0]).toContain('100');
  });
});

describe('the list', () => {
  test('adds the state of each only when asked to', async () => {
    const key = await (await api.account()).key();
    await create(input, key.token);
    const plain = await key.get('/api/v1/webhooks');
    expect(Object.keys(itemsOf(plain)[0] ?? {})).toHaveLength(9);
    const stated = await key.get('/api/v1/webhooks?include=state');
    expect(stated.body).toMatchObject({ data: [{ status: 'active', secret: {} }] });
    const wrong = await key.get('/api/v1/webhooks?include=secret');
    expect(Object.keys(detailsOf(wrong))).toEqual(['include']);
  });
});

describe('regenerating the secret', () => {
  test('for the first time shows a new secret, and the original one still signs', async () => {
    const { id, uuid } = dataOf(await create(input));
    const [made] = await secretsOf(id);
    const response = await regenerate(id);
    expect(dataOf(response)['message']).toBe(
      `Save this secret now; it will not be shown again. The previous secret, which was never shown, signs beside it for 24 hours, until ${iso(dayMs)}.`,
    );
    expect((await secretsOf(id)).map((row) => [openSecret(row), row.validUntil])).toEqual([
      [dataOf(response)['secret'], null],
      [made && openSecret(made), new Date(iso(dayMs))],
    ]);
    expect(await get(id)).toMatchObject({
      secret: { created_at: iso(0), was_shown: true, previous_valid_until: iso(dayMs) },
    });
    const [entry] = await auditOf(uuid);
    expect(entry?.changes).toEqual({
      previous_valid_until: iso(dayMs),
      previous_was_shown: false,
    });
  });

  test('for the first time with a grace period of 0 leaves only the new secret', async () => {
    const { id } = dataOf(await create(input));
    const response = await regenerate(id, { grace_period_seconds: 0 });
    expect(dataOf(response)['message']).toBe(
      'Save this secret now; it will not be shown again. Deliveries are signed with it from now on.',
    );
    expect((await secretsOf(id)).map(openSecret)).toEqual([dataOf(response)['secret']]);
    expect(await get(id)).toMatchObject({
      secret: { created_at: iso(0), was_shown: true, previous_valid_until: null },
    });
  });

  test('lets the old secret sign for 24 hours more, or as long as asked', async () => {
    const { id } = dataOf(await create(input));
    ctx.clock.advance(1000);
    await regenerate(id);
    ctx.clock.advance(1000);
    const response = await regenerate(id);
    expect(dataOf(response)['message']).toBe(
      `Save this secret now; it will not be shown again. The old secret signs beside it for 24 hours, until ${iso(dayMs)}.`,
    );
    expect(await get(id)).toMatchObject({ secret: { previous_valid_until: iso(dayMs) } });
    ctx.clock.advance(dayMs);
    expect(await get(id)).toMatchObject({ secret: { previous_valid_until: null } });
  });

  test('says when the replaced secret ends, also while an older one signs for longer', async () => {
    const { id } = dataOf(await create(input));
    ctx.clock.advance(1000);
    await regenerate(id);
    const endOfFirst = iso(dayMs);
    ctx.clock.advance(1000);
    const response = await regenerate(id, { grace_period_seconds: 60 });
    expect(dataOf(response)['message']).toBe(
      `Save this secret now; it will not be shown again. The old secret signs beside it for 1 minute, until ${iso(minuteMs)}. An older secret signs until ${endOfFirst}.`,
    );
    expect(await get(id)).toMatchObject({ secret: { previous_valid_until: iso(minuteMs) } });
    ctx.clock.advance(minuteMs);
    expect(await get(id)).toMatchObject({ secret: { previous_valid_until: endOfFirst } });
  });

  test('with a grace period of 0 stops the old one at once', async () => {
    const { id } = dataOf(await create(input));
    await regenerate(id);
    ctx.clock.advance(1000);
    const response = await regenerate(id, { grace_period_seconds: 0 });
    expect(dataOf(response)['message']).toContain('The old secret no longer signs.');
    expect(await secretsOf(id)).toHaveLength(1);
  });

  test('never ends a secret before the time that was promised', async () => {
    const { id } = dataOf(await create(input));
    await regenerate(id, { grace_period_seconds: 604_800 });
    const firstEnd = iso(dayMs);
    for (let hour = 0; hour < 3; hour += 1) {
      expect((await regenerate(id)).status).toBe(201);
      ctx.clock.advance(hourMs);
    }
    const before = await secretsOf(id);
    const response = await regenerate(id);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      webhook: [
        `4 secrets sign the deliveries of this webhook, the most it can have. Try again when the first of the older ones ends, at ${firstEnd}. Or regenerate with a grace period of 0, which ends every older secret.`,
      ],
    });
    expect(await secretsOf(id)).toEqual(before);
    ctx.clock.advance(21 * hourMs);
    expect((await regenerate(id)).status).toBe(201);
    expect((await regenerate(id, { grace_period_seconds: 0 })).status).toBe(201);
    expect(await secretsOf(id)).toHaveLength(1);
  });

  test('changes nothing if the secret is not the one that the caller expected', async () => {
    const { id } = dataOf(await create(input));
    const expected = { grace_period_seconds: 0, expected_created_at: iso(0) };
    ctx.clock.advance(1000);
    const ida = await account.member('admin');
    await regenerateSecret(ctx, ida, { webhook: String(id) });
    const before = await secretsOf(id);

    ctx.clock.advance(1000);
    const response = await regenerate(id, expected);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({
      expected_created_at: [
        `The secret of this webhook was already regenerated at ${iso(-1000)} by Ida admin.`,
      ],
    });
    expect(await secretsOf(id)).toEqual(before);
    const current = { grace_period_seconds: 0, expected_created_at: iso(-1000) };
    expect((await regenerate(id, current)).status).toBe(201);
  });

  test('stores it sealed to its row and account', async () => {
    const { id } = dataOf(await create(input));
    const secret = String(dataOf(await regenerate(id))['secret']);
    const [row] = await secretsOf(id);
    if (!row) throw new Error('the secret was not stored');
    expect(row.sealed.toString('latin1')).not.toContain(secret);
    const about = { table: 'webhook_secrets', uuid: row.uuid, accountId: row.accountId };
    expect(ctx.cipher.open(row.sealed, about)).toBe(secret);
    expect(() => ctx.cipher.open(row.sealed, { ...about, accountId: 'another' })).toThrow();
  });
});

describe('the person or key to whom a secret was shown', () => {
  test('is recorded with it: who regenerated it, a key or a person', async () => {
    const { id } = await account.webhook();
    const byKey = await account.key({ name: 'Deployment' });
    ctx.clock.advance(1000);
    await byKey.post(`/api/v1/webhooks/${id}/regenerate-secret`);
    ctx.clock.advance(1000);
    const admin = await account.member('admin');
    await regenerateSecret(ctx, admin, { webhook: String(id) });
    expect((await secretsOf(id)).map(({ shownTo }) => shownTo)).toEqual([
      { kind: 'person', id: admin.personId, name: 'Ida admin' },
      { kind: 'api_key', id: byKey.uuid, name: 'Deployment' },
      null,
    ]);
  });
});

describe('changing a webhook', () => {
  test('changes what is given and leaves the rest', async () => {
    const { id } = dataOf(await create(input));
    const response = await patch(id, { name: 'Renamed' });
    expect(response.status).toBe(200);
    expect(dataOf(response)).toMatchObject({ ...input, name: 'Renamed' });
  });

  test('to the values that it has is recorded nowhere', async () => {
    const { id, uuid } = await account.webhook();
    const change = { name: 'Steady', events: ['message.created'], is_active: false };
    const changed = dataOf(await patch(id, change));
    ctx.clock.advance(1000);
    expect(dataOf(await patch(id, change))).toEqual(changed);
    const entries = itemsOf(await caller.get(`/api/v1/audit-log?target=${uuid}`));
    expect(entries.map(({ action }) => action)).toEqual(['webhook.updated', 'webhook.created']);
  });

  test.each([
    ['nothing', {}, 'body'],
    ['an address inside', { url: 'https://192.168.0.1/' }, 'url'],
    ['a token in it', { url: `https://example.com/sk_live_${'a'.repeat(38)}` }, 'url'],
    ['an unknown field', { failure_count: 0 }, 'failure_count'],
    ['errors in several fields', { name: '', url: 'https://192.168.0.1/' }, 'name', 'url'],
  ])('with %s is refused', async (_what, change, ...fields) => {
    const { id } = dataOf(await create(input));
    const response = await patch(id, change);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual(fields);
  });
});

test('a webhook that is deleted while it is read is not found, and left out of the list', async () => {
  const { id } = dataOf(await create(input));
  // As after the first of the two reads: its secrets are deleted with it.
  await ctx.db.delete(webhookSecrets).where(eq(webhookSecrets.webhookId, id));
  expect((await caller.get(`/api/v1/webhooks/${id}`)).status).toBe(404);
  const list = await caller.get('/api/v1/webhooks?include=state');
  expect(list.status).toBe(200);
  expect(itemsOf(list).map((webhook) => webhook['id'])).not.toContain(id);
});

describe('another account', () => {
  test('gets the same 404 as for a webhook that does not exist, and changes nothing', async () => {
    const mine = dataOf(await create(input));
    const stranger = await (await api.account()).key();
    for (const reference of [mine.id, mine['uuid']]) {
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/regenerate-secret'],
      ] as const) {
        const options = {
          token: stranger.token,
          ...(method === 'PATCH' && { body: { name: 'Taken' } }),
        };
        const theirs = await api.call(method, `/api/v1/webhooks/${reference}${path}`, options);
        const none = await api.call(method, `/api/v1/webhooks/2000000000${path}`, options);
        expect(theirs.status).toBe(404);
        expect(theirs.text).toBe(none.text);
      }
    }
    expect(await get(mine.id)).toMatchObject({ ...input, secret: { was_shown: false } });
    const list = await stranger.get('/api/v1/webhooks');
    expect(list.body).toEqual({ success: true, data: [] });
  });
});

async function create(body: unknown, as = caller.token) {
  return await api.call('POST', '/api/v1/webhooks', { token: as, body });
}

async function patch(id: unknown, body: unknown) {
  return await caller.patch(`/api/v1/webhooks/${id}`, body);
}

async function regenerate(id: unknown, body: unknown = {}) {
  return await caller.post(`/api/v1/webhooks/${id}/regenerate-secret`, body);
}

/** Newest first. */
async function secretsOf(id: number): Promise<Secret[]> {
  const secrets = await ctx.db.query.webhookSecrets.findMany({
    where: eq(webhookSecrets.webhookId, id),
    orderBy: (row, { desc }) => desc(row.createdAt),
  });
  return secrets.toSorted((a, b) => Number(b.validUntil === null) - Number(a.validUntil === null));
}

function openSecret({ sealed, uuid, accountId }: Secret): string {
  return ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId });
}

/** Newest first. */
async function auditOf(uuid: unknown): Promise<Entry[]> {
  const response = await caller.get('/api/v1/audit-log');
  return (itemsOf(response) as unknown as Entry[]).filter(({ target }) => target.id === uuid);
}

async function get(id: unknown) {
  return dataOf(await caller.get(`/api/v1/webhooks/${id}`));
}

function iso(fromNowMs: number): string {
  return new Date(ctx.clock.now().getTime() + fromNowMs).toISOString().replace('Z', '+00:00');
}
