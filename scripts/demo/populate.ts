import { dayMs } from '#lib/durations.ts';
import { createClient } from './client.ts';
import type { Client } from './client.ts';

type Made = { uuid: string; token: string };
type Webhook = { uuid: string };

type PopulateInput = { origin: string; token: string; receiver: string };

/**
 * Fills an account with what a team would have after some weeks: webhooks, and keys of each type.
 */
export async function populate({ origin, token, receiver }: PopulateInput): Promise<void> {
  const call = createClient(origin, token);
  const usedKeys = await createKeys(call);
  await createWebhooks(call, receiver);
  for (const { token: used } of usedKeys) await useKey(createClient(origin, used));
}

/** Makes calls that succeed with every key, and others that some keys may not make. */
async function useKey(call: Client): Promise<void> {
  await call('GET', '/api-key');
  for (const path of ['/conversations', '/webhooks', '/audit-log', '/conversations/0']) {
    // The page of the key shows what would fix the refused ones.
    await call('GET', path).catch(() => undefined);
  }
}

/** @returns the keys that look used */
async function createKeys(call: Client): Promise<Made[]> {
  const create = async (key: object) => await call<Made>('POST', '/api-keys', key);
  const backend = await create({ name: 'Production backend', type: 'full' });
  const reporting = await create({
    name: 'Weekly report',
    type: 'limited',
    scopes: ['conversations:read', 'audit-log:read'],
    allowed_cidrs: ['127.0.0.0/8', '::1/128', '203.0.113.0/24'],
  });
  const relay = await create({ name: 'Event relay', type: 'webhook' });
  const bot = await create({ name: 'Reply bot', type: 'bot' });
  await create({
    name: 'Contractor, until the move',
    type: 'limited',
    scopes: ['webhooks:read', 'events:read'],
    expires_at: new Date(Date.now() + 6 * dayMs).toISOString(),
  });

  // In its grace period: the key has an old and a new token, and the old one is still in use.
  await call('POST', `/api-keys/${relay.uuid}/rotate`, { grace_period_seconds: 7200 });
  const laptop = await create({ name: "Ben's laptop", type: 'full' });
  await call('DELETE', `/api-keys/${laptop.uuid}`, { reason: 'The laptop was lost.' });
  const paused = await create({
    name: 'Nightly import',
    type: 'limited',
    scopes: ['webhooks:read'],
  });
  await call('POST', `/api-keys/${paused.uuid}/pause`);
  return [backend, reporting, relay, bot];
}

/**
 * Webhooks that missed the conversations before: one was paused, and one is new. The page of an event
 * says so.
 */
export async function addLateWebhooks(call: Client, receiver: string): Promise<void> {
  const webhooks = await call<(Webhook & { name: string })[]>('GET', '/webhooks');
  const returns = webhooks.find(({ name }) => name === returnsPortal);
  await call('PATCH', `/webhooks/${returns?.uuid}`, { is_active: true, backlog: 'skip' });
  const events = ['conversation.created', 'message.created'];
  await call('POST', '/webhooks', { name: 'Loyalty points', url: `${receiver}/orders`, events });
}

const returnsPortal = 'Returns portal';

async function createWebhooks(call: Client, receiver: string): Promise<void> {
  const create = async (name: string, path: string, events: readonly string[]) =>
    await call<Webhook>('POST', '/webhooks', { name, url: `${receiver}${path}`, events });
  const orders = await create('Order notifier', '/orders', ['message.created']);
  const analytics = await create('Analytics warehouse', '/analytics', [
    'message.created',
    'conversation.created',
    'conversation.closed',
  ]);
  const crm = await create('Old CRM', '/crm', ['conversation.created', 'conversation.closed']);
  const returns = await create(returnsPortal, '/orders', [
    'message.created',
    'conversation.closed',
  ]);
  const staging = await create('Staging copy', '/orders', ['message.created']);

  for (const [{ uuid }, settings] of [
    [orders, { headers: { 'X-Shop': 'north' } }],
    [
      analytics,
      {
        max_deliveries_per_second: 20,
        filter: { '!=': [{ var: 'data.message.author' }, 'agent'] },
      },
    ],
    [crm, { contact_email: 'crm-oncall@example.com' }],
    [staging, { all_events: true }],
  ] as const) {
    await call('PATCH', `/webhooks/${uuid}`, settings);
  }
  for (const { uuid } of [orders, analytics, crm]) {
    await call('POST', `/webhooks/${uuid}/regenerate-secret`, { grace_period_seconds: 0 });
  }
  // In its grace period: each delivery has a signature of the new secret and one of the old secret.
  await call('POST', `/webhooks/${analytics.uuid}/regenerate-secret`);
  await call('PATCH', `/webhooks/${staging.uuid}`, { is_active: false });
  await call('PATCH', `/webhooks/${returns.uuid}`, { is_active: false });
}
