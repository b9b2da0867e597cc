import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { memberMay, memberRightsOf } from '#lib/contract/api-keys/ceiling.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';
import { accountPath } from '#lib/account-path.ts';
import type { FoundDelivery } from '#lib/api/deliveries.ts';

import { isApiKeyFound, isWebhookFound } from '../search/searched-nouns.ts';
import { apiKeyState, apiKeyStateLabels } from '../states/api-key-state.ts';
import { deliveryState } from '../states/delivery-state.ts';
import { webhookState, webhookStateLabels } from '../states/webhook-state.ts';

/** Something the palette leads to. */
export type Command = {
  id: string;
  kind: 'key' | 'webhook' | 'delivery' | 'page' | 'create' | 'account';
  label: string;
  /** In monospace beside the label. */
  code?: string;
  /** At the end of the line. */
  detail?: string;
  /** In the place of `detail`: the state, as its page shows it. */
  state?: ReturnType<typeof deliveryState>;
  /** The second line. */
  second?: { at: string; text: string };
  /** The full path, which names the account. Null: it is another account, of this id. */
  path: string | null;
};

export type CommandGroup = { label: string; items: Command[] };

export type CommandSource = {
  session: Pick<Session, 'account' | 'accounts' | 'role'>;
  /** Undefined while they are loaded, or if the person may not read them. */
  apiKeys: readonly ApiKey[] | undefined;
  webhooks: readonly Webhook[] | undefined;
  /** Those that a pasted id finds: one, or those of an event. */
  deliveries: readonly FoundDelivery[] | undefined;
  /** Paths within the account that were open before, latest first. */
  recentPaths: readonly string[];
  now: Date;
};

const MOST_OF_A_KIND = 8;

/** What the palette lists for a search. Groups without a match are left out. */
export function listCommands(search: string, source: CommandSource): CommandGroup[] {
  const keys = namedFirst(keyCommands(search, source), search);
  const webhooks = namedFirst(webhookCommands(search, source), search);
  const recent = recentCommands([...keys, ...webhooks], source);
  const isElsewhere = ({ id }: Command) => !recent.some((command) => command.id === id);
  return [
    { label: 'Recent', items: recent },
    { label: 'Deliveries', items: deliveryCommands(source) },
    { label: 'API keys', items: keys.filter(isElsewhere).slice(0, MOST_OF_A_KIND) },
    { label: 'Webhooks', items: webhooks.filter(isElsewhere).slice(0, MOST_OF_A_KIND) },
    { label: 'Go to', items: pageCommands(search, source) },
    { label: 'Accounts', items: accountCommands(search, source) },
  ].filter(({ items }) => items.length > 0);
}

/** First what has the search in its name, then what is found by its URL or ID. */
function namedFirst(commands: readonly Command[], search: string): Command[] {
  const isNamed = ({ label }: Command) => hasWords(label, search);
  return [...commands.filter(isNamed), ...commands.filter((command) => !isNamed(command))];
}

function keyCommands(search: string, { apiKeys = [], session, now }: CommandSource): Command[] {
  return apiKeys
    .filter((apiKey) => isApiKeyFound(search, apiKey))
    .map((apiKey) => ({
      id: apiKey.uuid,
      kind: 'key',
      label: apiKey.name,
      code: `sk_live_…${apiKey.last_four}`,
      ...detailUnlessActive(apiKeyStateLabels[apiKeyState(apiKey, now)]),
      path: accountPath(session.account.id, `settings/api-keys/${apiKey.uuid}`),
    }));
}

function webhookCommands(
  search: string,
  { webhooks = [], session, now }: CommandSource,
): Command[] {
  return webhooks
    .filter((webhook) => isWebhookFound(search, webhook))
    .map((webhook) => ({
      id: webhook.uuid,
      kind: 'webhook',
      label: webhook.name,
      code: new URL(webhook.url).host,
      ...detailUnlessActive(webhookStateLabels[webhookState(webhook, now)]),
      path: accountPath(session.account.id, `settings/webhooks/${webhook.uuid}`),
    }));
}

/** The state is said of what is not simply active. */
function detailUnlessActive(label: string): Pick<Command, 'detail'> {
  return label === 'Active' ? {} : { detail: label };
}

function deliveryCommands({
  deliveries = [],
  webhooks = [],
  session,
  now,
}: CommandSource): Command[] {
  return deliveries.flatMap((delivery) => {
    const { uuid, event } = delivery;
    const webhook = webhooks.find(({ id }) => id === delivery.webhook_id);
    if (webhook === undefined) return [];
    const page = `settings/webhooks/${webhook.uuid}/deliveries?delivery=${uuid}`;
    return {
      id: uuid,
      kind: 'delivery',
      label: `${event.type} to ${webhook.name}`,
      state: deliveryState(delivery, { isWebhookActive: webhook.is_active, now }),
      second: { at: event.created_at, text: webhook.url },
      path: accountPath(session.account.id, page),
    };
  });
}

/** Those of the keys and webhooks whose pages were open before. */
function recentCommands(found: readonly Command[], { recentPaths }: CommandSource): Command[] {
  return recentPaths.flatMap((path) => found.filter((command) => command.path === path));
}

function pageCommands(search: string, { session }: CommandSource): Command[] {
  const rights = memberRightsOf(session);
  const pages = [
    { kind: 'page', label: 'API keys', page: 'settings/api-keys', act: 'api-keys.read' },
    { kind: 'page', label: 'Webhooks', page: 'settings/webhooks', act: 'webhooks.read' },
    { kind: 'page', label: 'Team', page: 'settings/team', act: 'team.read' },
    {
      kind: 'page',
      label: 'Audit log',
      page: 'settings/audit-log',
      act: 'audit-log.read',
    },
    { kind: 'page', label: 'Account', page: 'settings/account', act: null },
    { kind: 'page', label: 'Profile', page: 'settings/profile', act: null },
    { kind: 'page', label: 'Security', page: 'settings/security', act: null },
    { kind: 'create', label: 'Create key', page: 'settings/api-keys/new', act: 'api-keys.create' },
    {
      kind: 'create',
      label: 'Create webhook',
      page: 'settings/webhooks/new',
      act: 'webhooks.create',
    },
  ] as const;
  return (
    pages
      // Of an account that is being deleted there is the page to restore it.
      .filter(({ act }) => act === null || session.account.erased_at === null)
      .filter(({ act }) => act === null || memberMay(rights, act))
      .filter(({ label }) => hasWords(label, search))
      .map(({ kind, label, page }) => ({
        id: page,
        kind,
        label,
        path: accountPath(session.account.id, page),
      }))
  );
}

function accountCommands(search: string, { session }: CommandSource): Command[] {
  return session.accounts
    .filter(({ id, name }) => id !== session.account.id && hasWords(name, search))
    .slice(0, MOST_OF_A_KIND)
    .map(({ id, name, role }) => ({
      id,
      kind: 'account',
      label: name,
      detail: capitalize(role),
      path: null,
    }));
}

function hasWords(text: string, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
