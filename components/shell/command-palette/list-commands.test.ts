import { expect, test } from 'vitest';
import { sampleApiKey, sampleDelivery, sampleWebhook } from '#lib/contract/samples.ts';
import { type ApiKey, apiKey as apiKeySchema } from '#lib/contract/api-keys/api-key.ts';
import { delivery as deliverySchema } from '#lib/contract/deliveries/delivery.ts';
import { webhook as webhookSchema } from '#lib/contract/webhooks/webhook.ts';
import { type CommandSource, listCommands } from './list-commands.ts';

const production = { ...apiKeySchema.parse(sampleApiKey), name: 'Production' };
const staging = {
  ...production,
  uuid: '791002fb-655c-447c-aa98-f5b921cf66cd',
  id: 77,
  name: 'Staging',
};
const orders = { ...webhookSchema.parse(sampleWebhook), name: 'Order notifier' };

const source: CommandSource = {
  session: {
    account: {
      id: 'acme',
      name: 'Acme',
      support: { tokens: 'within_role', payloads: false, error_texts: false },
      erased_at: null,
      second_factor_required_from: null,
    },
    accounts: [
      { id: 'acme', name: 'Acme', role: 'owner', erased_at: null },
      { id: 'marlow', name: 'Marlow & Finch', role: 'support', erased_at: null },
    ],
    role: 'owner',
  },
  apiKeys: [production, staging],
  webhooks: [orders],
  deliveries: undefined,
  recentPaths: [],
  now: new Date('2026-11-20T12:00:00.000Z'),
};

/** The labels of each group, as `API keys: Production, Staging`. */
function labels(search: string, changed: Partial<CommandSource> = {}): string[] {
  return listCommands(search, { ...source, ...changed }).map(
    ({ label, items }) => `${label}: ${items.map((item) => item.label).join(', ')}`,
  );
}

test('without a search everything is listed, and every path names its account', () => {
  expect(labels('')).toEqual([
    'API keys: Production, Staging',
    'Webhooks: Order notifier',
    'Go to: API keys, Requests, Incidents, Webhooks, Events, Team, Audit log, Account, Profile, Security, Create key, Create webhook, Invite member',
    'Switch account: Marlow & Finch',
  ]);
  const commands = listCommands('', source).flatMap(({ items }) => items);
  expect(commands.filter(({ path }) => !path.startsWith('/a/acme/'))).toMatchObject([
    { kind: 'account', of: 'marlow' },
  ]);
});

test('a name, an id and the end of a token are found', () => {
  expect(labels('stag')).toEqual(['API keys: Staging']);
  expect(labels('77')).toEqual(['API keys: Staging']);
  expect(labels(staging.uuid)).toEqual(['API keys: Staging']);
  expect(labels(`…${production.last_four}`)).toEqual(['API keys: Production, Staging']);
  expect(labels('marlow')).toEqual(['Switch account: Marlow & Finch']);
  expect(labels('switch')).toEqual(['Switch account: Marlow & Finch']);
  expect(labels('create key')).toEqual(['Go to: Create key']);
  expect(labels('no such thing')).toEqual([]);
});

test('matches of the name come before matches of the URL alone', () => {
  const copy = { ...orders, uuid: crypto.randomUUID(), name: 'Staging copy' };
  const webhooks = [{ ...copy, url: 'https://example.com/orders' }, orders];
  expect(labels('order', { webhooks })).toEqual(['Webhooks: Order notifier, Staging copy']);
});

test('an id finds the delivery to each webhook that has one, with its state, time and URL', () => {
  const found = {
    ...deliverySchema.parse(sampleDelivery),
    webhook_id: orders.id,
    status: 'pending',
    attempt_count: 1,
    next_attempt_at: '2026-11-20T12:04:00.000+00:00',
    last_error: 'The receiver responded with 503.',
  } as const;
  const deliveries = [found, { ...found, webhook_id: orders.id + 1 }] as const;
  const groups = listCommands(found.uuid, { ...source, deliveries });
  expect(groups.map(({ label }) => label)).toEqual(['Deliveries', 'Actions']);
  expect(groups[0]?.items).toMatchObject([
    {
      label: `${found.event.type} to Order notifier`,
      state: { mark: 'waiting', label: 'Retrying in 4 min' },
      second: { at: found.event.created_at, text: orders.url },
      path: `/a/acme/settings/webhooks/${orders.uuid}/deliveries?delivery=${found.uuid}`,
    },
  ]);
});

test('a single delivery that is found can be retried and its link copied, if the role and its webhook allow it', () => {
  const found = { ...deliverySchema.parse(sampleDelivery), webhook_id: orders.id };
  const failed = { ...found, status: 'failed' } as const;
  const actions = (changed: Partial<CommandSource>) =>
    labels(found.uuid, { deliveries: [failed], ...changed }).slice(1);
  const event = 'See the outcomes of this event';
  const active = { ...orders, is_active: true, status: 'active' } as const;
  const webhooks = [active];
  expect(actions({ webhooks })).toEqual([`Actions: Retry delivery, Copy delivery link, ${event}`]);
  const delivered = { ...found, status: 'delivered' } as const;
  expect(actions({ webhooks, deliveries: [delivered] })).toEqual([
    `Actions: Send again, Copy delivery link, ${event}`,
  ]);
  expect(actions({ webhooks: [{ ...active, is_active: false, status: 'paused' }] })).toEqual([
    `Actions: Copy delivery link, ${event}`,
  ]);
  const session = { ...source.session, role: 'viewer' } as const;
  expect(actions({ webhooks, session })).toEqual([`Actions: Copy delivery link, ${event}`]);
  const other = { ...active, id: orders.id + 1, uuid: crypto.randomUUID(), name: 'Other' };
  const deliveries = [failed, { ...failed, uuid: crypto.randomUUID(), webhook_id: other.id }];
  expect(actions({ webhooks: [active, other], deliveries })).toEqual([`Actions: ${event}`]);
});

test('each key and webhook has the same state as on its list and page', () => {
  const details = (changed: Partial<CommandSource>) =>
    listCommands('', { ...source, apiKeys: [], webhooks: [], ...changed }).flatMap(({ items }) =>
      items.flatMap(({ kind, detail }) => (kind === 'key' || kind === 'webhook' ? [detail] : [])),
    );
  const active: ApiKey = { ...production, status: 'active', tokens: [], expires_at: null };
  const token = apiKeySchema.shape.tokens.parse(sampleApiKey.tokens)[0];
  const shown = {
    since: '2026-11-20T11:00:00.000+00:00',
    shown_to: { kind: 'person', id: 'ida', name: 'Ida' },
    undo_restores: null,
  } as const;
  if (!token) throw new Error('the sample has no token');
  const apiKeys: ApiKey[] = [
    active,
    { ...active, status: 'rotating', tokens: [{ ...token, unconfirmed: shown }] },
    { ...active, expires_at: '2026-11-22T12:00:00.000+00:00' },
    { ...active, status: 'revoked' },
  ];
  expect(details({ apiKeys })).toEqual([undefined, 'Unconfirmed', 'Expiring', 'Revoked']);
  const sent = { ...orders, status: 'active', is_active: true, failure_count: 0 } as const;
  const webhooks = [
    sent,
    { ...sent, failure_count: 3 },
    { ...sent, status: 'paused', is_active: false } as const,
    { ...sent, status: 'pending_setup', is_active: false } as const,
  ];
  expect(details({ webhooks })).toEqual([undefined, 'Failing', 'Paused', 'Set-up incomplete']);
});

test('recent pages come first and are listed once', () => {
  const recentPaths = [`/a/acme/settings/webhooks/${orders.uuid}`, '/a/acme/settings/account'];
  expect(labels('', { recentPaths }).slice(0, 2)).toEqual([
    'Recent: Order notifier',
    'API keys: Production, Staging',
  ]);
  expect(labels('', { recentPaths })).not.toContain('Webhooks: Order notifier');
});

test('only the pages that the role may open are listed', () => {
  const session = { ...source.session, role: 'viewer' } as const;
  expect(labels('create', { session })).toEqual([]);
  expect(labels('incident', { session })).toEqual([]);
  expect(labels('rotation', { session })).toEqual([]);
  expect(labels('requests')).toEqual(['Go to: Requests']);
});
