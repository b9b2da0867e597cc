import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { webhooks, webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { allTypesWith, eventTypes, isInAll } from '#lib/contract/events/events.ts';
import { addNewTypes } from '../../../domain/webhooks/update-webhook.ts';
import { dataOf, detailsOf, itemsOf, refusedFields, TestApi } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, viewer, caller } = useApi();

const input = {
  name: 'Order notifier',
  url: 'https://orders.example.com/hooks',
  events: ['message.created', 'conversation.closed'],
};
const aToken = `sk_live_${'a'.repeat(38)}`;

describe('creating a webhook', () => {
  test('returns it active, with a secret that signs and that nobody is shown', async () => {
    const response = await create(input);
    expect(response.status).toBe(201);
    const { id, uuid, ...made } = dataOf(response);
    expect(made).toMatchObject({
      ...input,
      is_active: true,
      status: 'active',
      failure_count: 0,
      last_triggered_at: null,
      secret: { created_at: ctx.clock.apiTime(), was_shown: false, previous_valid_until: null },
    });
    expect(response.text).not.toContain('whsec_');
    const secrets = await ctx.db.query.webhookSecrets.findMany({
      where: eq(webhookSecrets.webhookId, id),
    });
    expect(secrets).toMatchObject([{ shownTo: null, validUntil: null }]);
    for (const { sealed, ...row } of secrets) {
      const about = { table: 'webhook_secrets', uuid: row.uuid, accountId: row.accountId };
      expect(ctx.cipher.open(sealed, about)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(() => ctx.cipher.open(sealed, { ...about, accountId: 'another' })).toThrow();
    }
    expect(await auditOf(uuid)).toMatchObject([
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

  test('for all event types lists those of today, without the types about keys that were not chosen', async () => {
    const { name, url } = input;
    const key = await account.key({ scopes: ['webhooks:manage'], type: 'limited' });
    const as = async (token: string, body: object) =>
      await api.call('POST', '/api/v1/webhooks', { token, body: { name, url, ...body } });
    const all = dataOf(await as(key.token, { all_events: true }));
    expect(all).toMatchObject({ all_events: true, events: eventTypes.filter(isInAll) });
    expect(await get(all.id)).toMatchObject({ all_events: true });
    const chosen = { all_events: true, events: ['api_key.revoked'] };
    expect((await as(key.token, chosen)).status, 'without api-keys:read').toBe(403);
    const withKeys = dataOf(await as(caller.token, chosen));
    expect(withKeys['events']).toEqual(allTypesWith(['api_key.revoked']));

    expect(dataOf(await patch(withKeys.id, { all_events: false }))).toMatchObject({
      all_events: false,
      events: withKeys['events'],
    });
    expect(
      dataOf(await patch(withKeys.id, { all_events: true, events: ['message.created'] })),
    ).toMatchObject({ all_events: true, events: allTypesWith([]) });
    expect(dataOf(await patch(withKeys.id, { events: ['message.created'] }))).toMatchObject({
      all_events: false,
      events: ['message.created'],
    });
    expect(refusedFields(await as(caller.token, { all_events: false }))).toEqual(['events']);
  });

  test('for all event types gets those that a later version adds, and another webhook does not', async () => {
    const { id } = await account.webhook();
    const all = dataOf(await create({ ...input, all_events: true, events: ['api_key.expired'] }));
    await ctx.db.update(webhooks).set({ events: ['message.created', 'api_key.expired'] });
    await addNewTypes(ctx);
    expect(await get(all.id)).toMatchObject({ events: [...allTypesWith([]), 'api_key.expired'] });
    expect(await get(id)).toMatchObject({ events: ['message.created', 'api_key.expired'] });
  });

  test.each([
    ['http', { url: 'http://example.com/' }, 'url'],
    ['a loopback address', { url: 'https://127.1/' }, 'url'],
    ['no address', { url: '' }, 'url'],
    ['a number as address', { url: 7 }, 'url'],
    ['a token in it', { url: `https://example.com/?key=${aToken}` }, 'url'],
    ['no event type', { events: [] }, 'events'],
    ['an unknown event type', { events: ['message.deleted'] }, 'events'],
    ['an event type twice', { events: ['message.created', 'message.created'] }, 'events'],
    ['the type of test events', { events: ['webhook.test'] }, 'events'],
    ['a text for is_active', { is_active: 'yes' }, 'is_active'],
    ['a secret in its name', { name: `whsec_${'a'.repeat(43)}=` }, 'name'],
    ['a secret of its own', { secret: 'whsec_mine' }, 'secret'],
  ])('with %s is refused at that field', async (_what, change, field) => {
    expect(refusedFields(await create({ ...input, ...change }))).toEqual([field]);
  });

  test.each(['https://127.1/', 'example.com', ' '])(
    'with the URL %j and other errors is refused at all these fields together',
    async (url) => {
      const response = await create({ name: '', url, events: [] });
      expect(refusedFields(response)).toEqual(['events', 'name', 'url']);
      expect(detailsOf(response)['url']).toHaveLength(1);
    },
  );

  test('stops at 100 webhooks', async () => {
    const full = await api.account();
    const key = await full.key();
    await full.webhook();
    // Copies of the first webhook’s row, because creating 98 webhooks takes a second.
    const [row] = await ctx.db.select().from(webhooks).where(eq(webhooks.accountId, full.id));
    if (!row) throw new Error('the first webhook is not there');
    const { id: _id, uuid: _uuid, ...rest } = row;
    await ctx.db.insert(webhooks).values(Array.from({ length: 98 }, () => rest));
    expect((await create(input, key)).status).toBe(201);
    expect(detailsOf(await create(input, key))['body']?.[0]).toContain('100');
  });
});

describe('changing a webhook', () => {
  test('changes what is given and leaves the rest', async () => {
    const { id } = dataOf(await create(input));
    expect(dataOf(await patch(id, { name: 'Renamed' }))).toMatchObject({
      ...input,
      name: 'Renamed',
    });
  });

  test('to the values that it has is recorded nowhere', async () => {
    const { id, uuid } = await account.webhook();
    const change = { name: 'Steady', events: ['message.created'], is_active: false };
    const changed = dataOf(await patch(id, change));
    ctx.clock.advance(1000);
    expect(dataOf(await patch(id, change))).toEqual(changed);
    const actions = (await auditOf(uuid)).map(({ action }) => action);
    expect(actions).toEqual(['webhook.updated', 'webhook.created']);
  });

  test.each([
    ['nothing', {}, 'body'],
    ['an address inside', { url: 'https://192.168.0.1/' }, 'url'],
    ['a token in it', { url: `https://example.com/${aToken}` }, 'url'],
    ['an unknown field', { failure_count: 0 }, 'failure_count'],
    ['errors in several fields', { name: '', url: 'https://192.168.0.1/' }, 'name', 'url'],
  ])('with %s is refused', async (_what, change, ...fields) => {
    const { id } = await account.webhook();
    expect(refusedFields(await patch(id, change))).toEqual(fields);
  });
});

describe('the list', () => {
  test('adds the state of each only when asked to', async () => {
    const key = await (await api.account()).key();
    await create(input, key);
    const plain = await key.get('/api/v1/webhooks');
    expect(Object.keys(itemsOf(plain)[0] ?? {})).toHaveLength(9);
    const stated = await key.get('/api/v1/webhooks?include=state');
    expect(itemsOf(stated)).toMatchObject([{ status: 'active', secret: {} }]);
    const wrong = await key.get('/api/v1/webhooks?include=secret');
    expect(refusedFields(wrong)).toEqual(['include']);
  });

  test('leaves out a webhook that is deleted while it is read, which is not found either', async () => {
    const { id } = await account.webhook();
    // As after the first of the two reads: its secrets are deleted with it.
    await ctx.db.delete(webhookSecrets).where(eq(webhookSecrets.webhookId, id));
    expect((await caller.get(`/api/v1/webhooks/${id}`)).status).toBe(404);
    const list = await caller.get('/api/v1/webhooks?include=state');
    expect(list.status).toBe(200);
    expect(itemsOf(list).map((webhook) => webhook.id)).not.toContain(id);
  });
});

test('the catalog names every type with its schema and a sample that the schema accepts', async () => {
  type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];
  type EventType = { type: string; description: string; schema: JsonSchema; sample: object };
  const types = itemsOf<EventType>(await caller.get('/api/v1/event-types'));
  expect(types.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['message.created', 'conversation.created', 'conversation.closed']),
  );
  for (const { type, description, schema, sample } of types) {
    expect(description).toMatch(/\.$/);
    expect(sample).toMatchObject({ type, timestamp: expect.any(String), data: {} });
    expect(z.fromJSONSchema(schema).safeParse(sample).success).toBe(true);
    expect(z.fromJSONSchema(schema).safeParse({ ...sample, data: {} }).success).toBe(false);
  }
});

test.each([
  [[], false],
  [['10.0.0.0/8'], true],
])('an installation that allows the networks %j says so to its members', async (allowed, isAny) => {
  const config = { ...ctx.config, webhookAllowedCidrs: allowed };
  const response = await new TestApi({ ...ctx, config })
    .as(viewer)
    .get('/api/dashboard/webhook-targets');
  expect(dataOf(response)).toEqual({ allows_private_addresses: isAny });
});

async function create(body: unknown, by = caller) {
  return await by.post('/api/v1/webhooks', body);
}

async function patch(id: number, body: unknown) {
  return await caller.patch(`/api/v1/webhooks/${id}`, body);
}

async function get(id: number) {
  return dataOf(await caller.get(`/api/v1/webhooks/${id}`));
}

/** The audit entries about a webhook, newest first. */
async function auditOf(uuid: unknown) {
  return itemsOf(await caller.get(`/api/v1/audit-log?target=${String(uuid)}`));
}
