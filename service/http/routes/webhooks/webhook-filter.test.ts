import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { FilterDryRun } from '#lib/contract/webhooks/filter-dry-runs.ts';
import { hourMs } from '#lib/durations.ts';
import { dataOf, itemsOf, refusedFields } from '../../../testing/api.ts';
import type { TestClient } from '../../../testing/api.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, owner, caller } = useApi({ accountFor: 'test' });

const byContacts = { '==': [{ var: 'data.message.author' }, 'contact'] };
const events = ['message.created'];

describe('the filter of a webhook', () => {
  test('is stored, shown and removed, and each change stands in the audit log', async () => {
    const body = { name: 'Orders', url: 'https://example.com/in', events };
    const created = dataOf(await caller.post('/api/v1/webhooks', { ...body, filter: byContacts }));
    const path = `/api/v1/webhooks/${created.id}`;
    expect(created['filter']).toEqual(byContacts);
    const other = { and: [byContacts, { '>': [{ var: 'data.sequence' }, 1] }] };
    expect(dataOf(await caller.patch(path, { filter: other }))['filter']).toEqual(other);
    expect(dataOf(await caller.get(path))['filter']).toEqual(other);
    expect(dataOf(await caller.patch(path, { name: 'Renamed' }))['filter']).toEqual(other);
    expect(dataOf(await caller.patch(path, { filter: null }))['filter']).toBeNull();
    const changes = itemsOf(await caller.get('/api/v1/audit-log?action=webhook.updated'))
      .map((entry) => entry['changes'])
      .toReversed();
    expect(changes).toMatchObject([
      { filter: { from: byContacts, to: other } },
      { name: { to: 'Renamed' } },
      { filter: { from: other, to: null } },
    ]);
    const [entry] = itemsOf(await caller.get('/api/v1/audit-log?action=webhook.created'));
    expect(entry).toMatchObject({ changes: { filter: byContacts } });
  });

  test('is refused at its field, and nothing changes', async () => {
    const { id } = await account.webhook({ filter: byContacts });
    const path = `/api/v1/webhooks/${id}`;
    for (const filter of [{}, { method: ['x', 'trim'] }, 'type', [byContacts], true]) {
      expect(refusedFields(await caller.patch(path, { filter }))).toEqual(['filter']);
    }
    expect(dataOf(await caller.get(path))['filter']).toEqual(byContacts);
  });
});

describe('a dry run', () => {
  const run = async (body: object, by: TestClient = caller): Promise<FilterDryRun> =>
    dataOf<FilterDryRun>(
      await by.post('/api/v1/webhooks/filter-dry-runs', { filter: byContacts, events, ...body }),
    );

  async function write(...messages: [author: string, text: string][]) {
    const opened = await caller.post('/api/v1/conversations', { subject: 'Where is order 1042?' });
    const path = `/api/v1/conversations/${dataOf(opened).id}/messages`;
    for (const [author, text] of messages) await caller.post(path, { author, text });
  }

  test('counts what would be sent of the events of the last 24 hours and of the chosen types, and shows examples of both', async () => {
    await write(['contact', 'Too old']);
    ctx.clock.advance(25 * hourMs);
    await write(['contact', 'Hello'], ['agent', 'Good morning'], ['contact', 'Thank you']);
    const clause = 'data.message.author == "contact"';
    expect(await run({})).toEqual({
      is_limited: false,
      total: 3,
      sent: 2,
      not_evaluated: 0,
      in_force: null,
      examples: {
        sent: [
          expect.objectContaining({ type: 'message.created', excerpt: 'Thank you', clause }),
          expect.objectContaining({ excerpt: 'Hello', clause }),
        ],
        not_sent: [expect.objectContaining({ excerpt: 'Good morning', clause })],
        newly_sent: [],
        no_longer_sent: [],
      },
    });
    const all = await run({ events: ['message.created', 'conversation.created'], filter: null });
    expect(all).toMatchObject({ total: 4, sent: 4 });
    expect(all.examples.sent[0]?.clause).toBeNull();
    await write(['contact', 'a'.repeat(10_000)]);
    const expensive = { in: [{ var: 'data.message.text' }, { var: 'data.message.text' }] };
    expect(await run({ filter: expensive })).toMatchObject({ total: 4, sent: 4, not_evaluated: 1 });
  });

  test('compares with the filter in force, without events about the webhook itself', async () => {
    const webhook = await account.webhook({ filter: byContacts });
    await write(['contact', 'Hello'], ['agent', 'Good morning'], ['bot', 'Anything else?']);
    const about = await addEvent(ctx, account.id, { type: 'webhook.failing' });
    await ctx.db.execute(
      sql`update events set about_webhook_id = ${webhook.id} where id = ${about.id}`,
    );
    const byAgents = { '==': [{ var: 'data.message.author' }, 'agent'] };
    const types = [...events, 'webhook.failing'];
    const compared = await run({ filter: byAgents, events: types, webhook: webhook.id });
    expect(compared.total).toBe(3);
    expect(compared.in_force).toEqual({ sent: 1, newly_sent: 1, no_longer_sent: 1 });
    expect(compared.examples.newly_sent.map(({ excerpt }) => excerpt)).toEqual(['Good morning']);
    expect(compared.examples.no_longer_sent.map(({ excerpt }) => excerpt)).toEqual(['Hello']);
    const elsewhere = await (await api.account()).webhook();
    const refused = await caller.post('/api/v1/webhooks/filter-dry-runs', {
      filter: byAgents,
      events,
      webhook: elsewhere.id,
    });
    expect(refused.status).toBe(404);
  });

  test('shows content only to callers who may read it', async () => {
    await write(['contact', 'Hello']);
    const manager = await account.key({ scopes: ['webhooks:manage'] });
    await addEvent(ctx, account.id, { type: 'api_key.expired' });
    const types = ['message.created', 'api_key.expired'];
    const hidden = await run({ events: types }, manager);
    expect(hidden).toMatchObject({ total: 1, examples: { sent: [{ excerpt: null }] } });
    const reader = await account.key({ scopes: ['webhooks:manage', 'events:read'] });
    expect((await run({}, reader)).examples.sent[0]?.excerpt).toBe('Hello');
    expect((await run({}, owner)).examples.sent[0]?.excerpt).toBe('Hello');
  });

  test('reads the newest 2,000 events, and says so', async () => {
    await addEvent(ctx, account.id);
    await ctx.db.execute(sql`
      insert into events (account_id, uuid, type, payload, created_at)
      select account_id, gen_random_uuid(), type, payload, created_at
      from events, generate_series(1, 2000) where account_id = ${account.id}`);
    expect(await run({ filter: { '!': 0 } })).toMatchObject({ is_limited: true, total: 2000 });
  });
});

test('the busiest second of a webhook is that of most attempts, if it is asked for', async () => {
  const webhook = await account.webhook();
  const path = `/api/v1/webhooks/${webhook.id}/statistics`;
  const busiest = async (query = '?include=busiest_second') =>
    dataOf(await caller.get(`${path}${query}`))['busiest_second'];
  expect(await busiest()).toBeNull();
  const event = await addEvent(ctx, account.id);
  const delivery = await addDelivery(ctx, event, { webhookId: webhook.id, status: 'delivered' });
  for (const advance of [100, 200, 1000, 300, 100, 25 * hourMs]) {
    await addAttempt(ctx, delivery);
    ctx.clock.advance(advance);
  }
  ctx.clock.advance(-2 * hourMs);
  expect(await busiest()).toBe(3);
  expect(await busiest('')).toBeNull();
  ctx.clock.advance(2 * hourMs);
  expect(await busiest()).toBeNull();
});
