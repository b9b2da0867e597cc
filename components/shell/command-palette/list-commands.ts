import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { FailedCall } from '#lib/contract/api-keys/failed-calls.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { accountPath, firstPage } from '#lib/paths/account-path.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import type { Command, CommandGroup } from './command.ts';
import { hasWords } from './has-words.ts';
import { isApiKeyFound, isWebhookFound } from '../search/searched-nouns.ts';
import { apiKeyState, apiKeyStateLabels } from '../states/api-key-state.ts';
import { deliveryState } from '../states/delivery-state.ts';
import { webhookState, webhookStateLabels } from '../states/webhook-state.ts';

type FoundDelivery = Pick<
  Delivery,
  | 'uuid'
  | 'webhook_id'
  | 'event'
  | 'status'
  | 'attempt_count'
  | 'next_attempt_at'
  | 'last_error'
  | 'created_at'
>;

export type CommandSource = {
  session: Pick<Session, 'account' | 'accounts' | 'role'>;
  /** Undefined while they are loaded, or if the person may not read them. */
  apiKeys: readonly ApiKey[] | undefined;
  webhooks: readonly Webhook[] | undefined;
  /** The deliveries that an id finds: one, or those about an event, message or conversation. */
  deliveries: readonly FoundDelivery[] | undefined;
  /** The refused or failed calls that a pasted request id finds. */
  failedCalls?: readonly FailedCall[] | undefined;
  /** Paths within the account that were open before, latest first. */
  recentPaths: readonly string[];
  now: Date;
};

const maxOfEachKind = 8;

/** The groups that the palette lists for a search. Groups without a match are left out. */
export function listCommands(search: string, source: CommandSource): CommandGroup[] {
  const keys = namedFirst(keyCommands(search, source), search);
  const webhooks = namedFirst(webhookCommands(search, source), search);
  const recent = recentCommands([...keys, ...webhooks], source);
  const isElsewhere = ({ id }: Command) => !recent.some((command) => command.id === id);
  return [
    { label: 'Recent', items: recent },
    { label: 'API keys', items: keys.filter(isElsewhere).slice(0, maxOfEachKind) },
    { label: 'Webhooks', items: webhooks.filter(isElsewhere).slice(0, maxOfEachKind) },
    { label: 'Deliveries', items: deliveryCommands(source) },
    { label: 'Refused and failed calls', items: failedCallCommands(source) },
    { label: 'Actions', items: [...deliveryActions(source), ...eventActions(search, source)] },
    { label: 'Go to', items: pageCommands(search, source) },
    { label: 'Switch account', items: accountCommands(search, source) },
  ].filter(({ items }) => items.length > 0);
}

/** Matches of the name come first, then matches of the URL or ID. */
function namedFirst(commands: readonly Command[], search: string): Command[] {
  const isNamed = ({ label }: Command) => hasWords(label, search);
  return [...commands.filter(isNamed), ...commands.filter((command) => !isNamed(command))];
}

function keyCommands(search: string, { apiKeys = [], session, now }: CommandSource): Command[] {
  return apiKeys
    .filter((apiKey) => isApiKeyFound(search, apiKey))
    .map((apiKey) => ({
      id: apiKey.uuid,
      of: apiKey.uuid,
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
      of: webhook.uuid,
      kind: 'webhook',
      label: webhook.name,
      code: new URL(webhook.url).host,
      ...detailUnlessActive(webhookStateLabels[webhookState(webhook, now)]),
      path: accountPath(session.account.id, `settings/webhooks/${webhook.uuid}`),
    }));
}

/** States are shown only if they are not simply active. */
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
      of: uuid,
      kind: 'delivery',
      label: `${event.type} to ${webhook.name}`,
      state: deliveryState(delivery, { isWebhookActive: webhook.is_active, now }),
      second: { at: event.created_at, text: webhook.url },
      path: accountPath(session.account.id, page),
    };
  });
}

function failedCallCommands({ failedCalls = [], session }: CommandSource): Command[] {
  return failedCalls.map(({ api_key: apiKey, at, address, ...call }) => ({
    id: `call ${at} ${call.request_id}`,
    of: apiKey.uuid,
    kind: 'key',
    label: `${call.method} ${call.path ?? '(no such path)'} with ${apiKey.name}`,
    detail: String(call.status),
    second: { at, text: address },
    path: accountPath(session.account.id, `settings/api-keys/${apiKey.uuid}/usage`),
  }));
}

/** Leads to the event that an id names, with its outcome at each webhook, also if it was not sent. */
function eventActions(search: string, { deliveries, session }: CommandSource): Command[] {
  if (deliveries === undefined) return [];
  const page = `settings/events?q=${encodeURIComponent(search.trim())}`;
  return [
    {
      id: page,
      of: page,
      kind: 'page',
      label: 'See the outcomes of this event',
      path: accountPath(session.account.id, page),
    },
  ];
}

/** What can be done with a delivery, if the search names one. */
function deliveryActions(source: CommandSource): Command[] {
  const [found, ...others] = deliveryCommands(source);
  const webhook = source.webhooks?.find(({ id }) => id === source.deliveries?.[0]?.webhook_id);
  if (found === undefined || others.length > 0) return [];
  const { of, path } = found;
  const code = `${of.slice(0, 8)}…${of.slice(-4)}`;
  const mayRetry = memberMay(memberRightsOf(source.session), 'webhooks.replay');
  const isDelivered = source.deliveries?.[0]?.status === 'delivered';
  return [
    ...(mayRetry && webhook?.is_active === true
      ? [
          {
            id: `retry ${of}`,
            of,
            kind: 'retry' as const,
            label: isDelivered ? 'Send again' : 'Retry delivery',
            code,
            path,
          },
        ]
      : []),
    { id: `copy ${of}`, of, kind: 'copy', label: 'Copy delivery link', path },
  ];
}

/** The keys and webhooks whose pages were open before. */
function recentCommands(found: readonly Command[], { recentPaths }: CommandSource): Command[] {
  return recentPaths.flatMap((path) => found.filter((command) => command.path === path));
}

function pageCommands(search: string, { session }: CommandSource): Command[] {
  const rights = memberRightsOf(session);
  const pages = [
    { kind: 'page', label: 'API keys', page: 'settings/api-keys', act: 'api-keys.read' },
    {
      kind: 'page',
      label: 'Requests',
      page: 'settings/rotation-requests',
      act: 'api-keys.read',
    },
    {
      kind: 'page',
      label: 'Incidents',
      page: 'settings/api-keys/incident',
      act: 'api-keys.revoke',
    },
    { kind: 'page', label: 'Webhooks', page: 'settings/webhooks', act: 'webhooks.read' },
    { kind: 'page', label: 'Events', page: 'settings/events', act: 'events.read' },
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
    {
      kind: 'invite',
      label: 'Invite member',
      page: 'settings/team?act=invite',
      act: 'team.manage',
    },
  ] as const;
  return (
    pages
      // An account that is being deleted has only the page to restore it.
      .filter(({ act }) => act === null || session.account.erased_at === null)
      .filter(({ act }) => act === null || memberMay(rights, act))
      .filter(({ label }) => hasWords(label, search))
      .map(({ kind, label, page }) => ({
        id: page,
        of: page,
        kind,
        label,
        path: accountPath(session.account.id, page),
      }))
  );
}

/** Other accounts, by their name or as "switch account". */
function accountCommands(search: string, { session }: CommandSource): Command[] {
  return session.accounts
    .filter(({ id }) => id !== session.account.id)
    .filter(({ name }) => hasWords(`Switch account ${name}`, search))
    .slice(0, maxOfEachKind)
    .map(({ id, name, role }) => ({
      id,
      of: id,
      kind: 'account',
      label: name,
      detail: capitalize(role),
      path: accountPath(id, firstPage),
    }));
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
