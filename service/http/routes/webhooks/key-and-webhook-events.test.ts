import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { EventType } from '#lib/contract/events/events.ts';
import { dayMs } from '#lib/durations.ts';
import { announceExpiries } from '../../../domain/api-keys/announce-expiries.ts';
import { announceFailing } from '../../../domain/webhooks/deactivation/deactivate-webhook.ts';
import { getEvent, listEvents } from '../../../domain/events/read-events.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { dataOf, itemsOf } from '../../../testing/api.ts';
import type { TestAccount } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api } = useApi();

async function expire(account: TestAccount): Promise<void> {
  await account.key({ expiresAt: new Date(ctx.clock.now().getTime() + 8 * dayMs).toISOString() });
  ctx.clock.advance(dayMs);
  await announceExpiries(ctx);
}

test('a key without api-keys:read cannot subscribe a webhook to events about keys', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'webhook' });
  const create = async (events: EventType[], by = token) =>
    await api.call('POST', '/api/v1/webhooks', {
      token: by,
      body: { name: 'Hook', url: 'https://example.com/hook', events },
    });
  const refused = await create(['message.created', 'api_key.expired']);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('needs the scope api-keys:read');
  expect((await create(['webhook.failing', 'webhook.deactivated'])).status).toBe(201);

  const reader = await account.key({ scopes: ['webhooks:manage', 'api-keys:read'] });
  expect((await create(['api_key.expiring'], reader.token)).status).toBe(201);
});

test('a key without api-keys:read can neither subscribe to events about keys nor change the URL that gets them', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'webhook' });
  const plain = await account.webhook({ events: ['message.created'] });
  const subscribed = await account.webhook({ events: ['message.created', 'api_key.expired'] });
  const change = async ({ id }: { id: number }, body: object) =>
    (await api.call('PATCH', `/api/v1/webhooks/${id}`, { token, body })).status;
  expect(await change(plain, { events: ['api_key.expired'] })).toBe(403);
  expect(await change(subscribed, { url: 'https://elsewhere.example.com/' })).toBe(403);
  // A change that sends nobody new events is allowed.
  expect(await change(plain, { url: 'https://elsewhere.example.com/' })).toBe(200);
  expect(await change(subscribed, { name: 'Renamed', events: ['api_key.expired'] })).toBe(200);
});

test('a key without api-keys:read cannot redirect an event about a key that waits to be delivered', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'webhook' });
  const { id } = await account.webhook({ events: ['message.created', 'api_key.expiring'] });
  await expire(account);
  const change = async (body: object, by = token) =>
    await api.call('PATCH', `/api/v1/webhooks/${id}`, { token: by, body });
  const url = 'https://elsewhere.example.com/';
  const refused = await change({ url, events: ['message.created'] });
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('needs the scope api-keys:read');
  expect((await change({ events: ['message.created'] })).status).toBe(200);
  expect((await change({ url })).status).toBe(403);

  const reader = await account.key({ scopes: ['webhooks:manage', 'api-keys:read'] });
  expect((await change({ url }, reader.token)).status).toBe(200);
});

test('a key without api-keys:read cannot retry a delivery about a key to a webhook that no longer gets such events', async () => {
  const account = await api.account();
  const { token } = await account.key({ type: 'webhook' });
  const { id } = await account.webhook({ events: ['message.created', 'api_key.expiring'] });
  await expire(account);
  const delivery = await ctx.db.query.deliveries.findFirst({
    where: (row) => eq(row.webhookId, id),
  });
  const retry = async (by = token) => {
    // A delivery can be retried once a minute.
    ctx.clock.advance(60_000);
    const path = `/api/v1/deliveries/${delivery?.uuid}/retry`;
    return (await api.call('POST', path, { token: by })).status;
  };
  expect(await retry()).toBe(202);

  const body = { events: ['message.created'] };
  await api.call('PATCH', `/api/v1/webhooks/${id}`, { token, body });
  expect(await retry()).toBe(403);
  const reader = await account.key({ scopes: ['webhooks:manage', 'api-keys:read'] });
  expect(await retry(reader.token)).toBe(202);
});

test('what an event says about a key is read by keys with api-keys:read only, and by every role', async () => {
  const account = await api.account();
  await expire(account);
  const read = async (token: string) =>
    itemsOf(await api.call('GET', '/api/v1/events', { token })).map(({ data }) => data);
  const { token } = await account.key({ scopes: ['events:read'] });
  expect(await read(token)).toEqual([null]);
  const reader = await account.key({ scopes: ['events:read', 'api-keys:read'] });
  expect(await read(reader.token)).toMatchObject([{ api_key: { name: 'Production server' } }]);
  for (const role of ['owner', 'admin', 'support', 'viewer'] as const) {
    const page = { limit: 50, cursor: undefined };
    const { events } = await listEvents(ctx, await account.member(role), page);
    expect(events).toMatchObject([{ conversation_id: null, data: { expires_in: 604_800 } }]);
  }
});

test('an event about a webhook has an outcome for it, and a replay to it leaves the event out', async () => {
  const account = await api.account();
  const owner = await account.member('owner');
  const failing = await account.webhook({ name: 'Failing' });
  const other = await account.webhook({ name: 'Other' });
  const failingSince = ctx.clock.now();
  await ctx.db
    .update(lanes)
    .set({ failureCount: 3, failingSince })
    .where(eq(lanes.webhookId, failing.id));
  await announceFailing(ctx);
  const [event] = (await listEvents(ctx, owner, { limit: 1, cursor: undefined })).events;
  const { outcomes } = await getEvent(ctx, owner, { event: event?.uuid ?? '' });
  expect(outcomes).toMatchObject([
    { webhook: { id: failing.id }, outcome: 'about_itself', delivery: null },
    { webhook: { id: other.id }, outcome: 'pending' },
  ]);

  ctx.clock.advance(1000);
  const { token } = await account.key();
  const since = new Date(failingSince.getTime() - 1000).toISOString();
  for (const [webhook, total] of [
    [failing, 0],
    [await account.webhook({ name: 'Later' }), 1],
  ] as const) {
    const body = { since, status: 'all', include_earlier: true, dry_run: true };
    const path = `/api/v1/webhooks/${webhook.id}/replays`;
    expect(dataOf(await api.call('POST', path, { token, body }))).toMatchObject({ count: total });
  }
});
