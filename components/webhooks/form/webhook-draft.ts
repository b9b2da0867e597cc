import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { EventType } from '#lib/contract/event-types.ts';
import type { UpdateWebhookInput, Webhook } from '#lib/contract/webhooks.ts';

/** A webhook as it stands in the form. */
export type WebhookDraft = { name: string; url: string; events: readonly EventType[] };

export const emptyDraft: WebhookDraft = { name: '', url: '', events: [] };

/** A webhook as it stands, to be changed. */
export function draftFromWebhook({ name, url, events }: Webhook): WebhookDraft {
  return { name, url, events };
}

/** What the draft changes of the webhook; empty if nothing. */
export function toUpdateInput(draft: WebhookDraft, webhook: Webhook): UpdateWebhookInput {
  return {
    ...(draft.name.normalize('NFC').trim() !== webhook.name && { name: draft.name }),
    ...(draft.url.trim() !== webhook.url && { url: draft.url }),
    ...(!hasSameTypes(draft.events, webhook.events) && { events: [...draft.events] }),
  };
}

function hasSameTypes(one: readonly EventType[], other: readonly EventType[]): boolean {
  return one.length === other.length && one.every((type) => other.includes(type));
}

const fields = ['name', 'url', 'events'] as const;

/** Messages by field, as the service gives them. */
export type DraftErrors = Partial<Record<(typeof fields)[number], string>>;

/** Sorts the service's messages to their fields; `rest` belongs to none of them. */
export function groupErrorsByField(details: ErrorDetails): { errors: DraftErrors; rest: string[] } {
  const errors: DraftErrors = {};
  const rest: string[] = [];
  for (const [name, messages] of Object.entries(details)) {
    const field = fields.find((known) => known === name);
    if (field) errors[field] = messages.join(' ');
    else rest.push(...messages);
  }
  return { errors, rest };
}
