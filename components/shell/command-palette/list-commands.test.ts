import { expect, test } from 'vitest';

import { sampleApiKey, sampleWebhook } from '#lib/contract/samples.ts';
import { apiKey as apiKeySchema } from '#lib/contract/api-keys/api-keys.ts';
import { webhook as webhookSchema } from '#lib/contract/webhooks/webhooks.ts';

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
    account: { id: 'acme', name: 'Acme', support: { tokens: 'within_role', payloads: false } },
    accounts: [
      { id: 'acme', name: 'Acme', role: 'owner' },
      { id: 'marlow', name: 'Marlow & Finch', role: 'support' },
    ],
    role: 'owner',
  },
  apiKeys: [production, staging],
  webhooks: [orders],
  delivery: undefined,
  recentPaths: [],
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
    'Go to: API keys, Webhooks, Your account, Create key, Create webhook',
    'Accounts: Marlow & Finch',
  ]);
  const paths = listCommands('', source).flatMap(({ items }) => items.map(({ path }) => path));
  expect(paths.filter((path) => path.startsWith('/a/marlow/'))).toHaveLength(1);
  expect(paths.filter((path) => path.startsWith('/a/acme/'))).toHaveLength(paths.length - 1);
});

test('a name, an id and the end of a token are found', () => {
  expect(labels('stag')).toEqual(['API keys: Staging']);
  expect(labels('77')).toEqual(['API keys: Staging']);
  expect(labels(staging.uuid)).toEqual(['API keys: Staging']);
  expect(labels(`…${production.last_four}`)).toEqual(['API keys: Production, Staging']);
  expect(labels('marlow')).toEqual(['Accounts: Marlow & Finch']);
  expect(labels('create key')).toEqual(['Go to: Create key']);
  expect(labels('no such thing')).toEqual([]);
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
});
