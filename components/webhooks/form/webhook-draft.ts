import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { UpdateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';

import { formatFilter, parseFilter } from '../filter-text.ts';

/** The values of the webhook form, named as the fields of the API. */
export type WebhookDraft = {
  name: string;
  url: string;
  events: readonly EventType[];
  all_events: boolean;
  /** As typed; empty for none. */
  filter: string;
  headers: readonly HeaderDraft[];
  /** As typed; empty for no limit. */
  max_deliveries_per_second: string;
  /** Empty for none. */
  contact_email: string;
};

/** A static header. `value` is null while the stored value is kept. */
export type HeaderDraft = { key: number; name: string; value: string | null };

export const emptyDraft: WebhookDraft = {
  name: '',
  url: '',
  events: [],
  all_events: true,
  filter: '',
  headers: [],
  max_deliveries_per_second: '',
  contact_email: '',
};

/** The form's values for an existing webhook. */
export function draftFromWebhook(webhook: Webhook): WebhookDraft {
  const { name, url, events, all_events } = webhook;
  const headers = webhook.header_names.map((header, key) => ({ key, name: header, value: null }));
  return {
    name,
    url,
    events,
    all_events,
    filter: webhook.filter === null ? '' : formatFilter(webhook.filter),
    headers,
    max_deliveries_per_second: String(webhook.max_deliveries_per_second ?? ''),
    contact_email: webhook.contact?.email ?? '',
  };
}

/** The types that a draft subscribes to, as the API takes them. */
export function typesOf({ events, all_events }: WebhookDraft) {
  if (!all_events) return { events: [...events], all_events };
  return { ...(events.length > 0 && { events: [...events] }), all_events };
}

/** The request to update the webhook with what the draft changes; empty if it changes nothing. */
export function toUpdateInput(draft: WebhookDraft, webhook: Webhook): UpdateWebhookInput {
  return {
    ...(draft.name.normalize('NFC').trim() !== webhook.name && { name: draft.name }),
    ...(draft.url.trim() !== webhook.url && { url: draft.url }),
    ...(!hasSameTypes(draft, webhook) && typesOf(draft)),
    ...(JSON.stringify(parseFilter(draft.filter)) !== JSON.stringify(webhook.filter) && {
      filter: parseFilter(draft.filter),
    }),
    ...(rateOf(draft) !== webhook.max_deliveries_per_second && {
      max_deliveries_per_second: rateOf(draft),
    }),
    ...(draft.contact_email.trim().toLowerCase() !== (webhook.contact?.email ?? '') && {
      contact_email: contactOf(draft),
    }),
    ...(hasChangedHeaders(draft, webhook) && { headers: headersOf(draft, webhook) }),
  };
}

function hasSameTypes(
  one: Pick<WebhookDraft, 'events' | 'all_events'>,
  other: Pick<WebhookDraft, 'events' | 'all_events'>,
): boolean {
  return (
    one.all_events === other.all_events &&
    one.events.length === other.events.length &&
    one.events.every((type) => other.events.includes(type))
  );
}

/** The limit per second; null for none, NaN for text that is not a number. */
export function rateOf({ max_deliveries_per_second: typed }: WebhookDraft): number | null {
  return typed.trim() === '' ? null : Number(typed);
}

/** The address of the contact; null for none. */
export function contactOf({ contact_email: typed }: WebhookDraft): string | null {
  return typed.trim() === '' ? null : typed;
}

/** Whether the stored values may not be kept, because the URL has another scheme, host or port. */
export function hasNewOrigin(draft: Pick<WebhookDraft, 'url'>, webhook: Webhook): boolean {
  return originOf(draft.url) !== originOf(webhook.url);
}

function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(url.trim())?.[0].toLowerCase() ?? url;
}

function hasChangedHeaders(draft: WebhookDraft, webhook: Webhook): boolean {
  const names = draft.headers.map(({ name }) => name.trim());
  return (
    draft.headers.some(({ value }) => value !== null) ||
    names.join('\n') !== webhook.header_names.join('\n') ||
    (names.length > 0 && hasNewOrigin(draft, webhook))
  );
}

/** Values that must be entered again are sent empty, for the service to refuse. */
function headersOf(draft: WebhookDraft, webhook: Webhook): Record<string, string | null> {
  const keepsValues = !hasNewOrigin(draft, webhook);
  return Object.fromEntries(
    draft.headers.map(({ name, value }) => [name.trim(), keepsValues ? value : (value ?? '')]),
  );
}

export function newHeadersOf({ headers }: WebhookDraft): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value ?? '']));
}
