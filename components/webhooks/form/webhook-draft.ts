import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { UpdateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';

/** The values of the webhook form, named as the fields of the API. */
export type WebhookDraft = { name: string; url: string; events: readonly EventType[] };

export const emptyDraft: WebhookDraft = { name: '', url: '', events: [] };

/** The form's values for an existing webhook. */
export function draftFromWebhook({ name, url, events }: Webhook): WebhookDraft {
  return { name, url, events };
}

/** The request to update the webhook with what the draft changes; empty if it changes nothing. */
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
