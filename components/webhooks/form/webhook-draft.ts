import type { EventType } from '#lib/contract/events/events.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { UpdateWebhookInput } from '#lib/contract/webhooks/webhook-inputs.ts';

/** The values of the webhook form, named as the fields of the API. */
export type WebhookDraft = {
  name: string;
  url: string;
  events: readonly EventType[];
  all_events: boolean;
};

export const emptyDraft: WebhookDraft = { name: '', url: '', events: [], all_events: true };

/** The form's values for an existing webhook. */
export function draftFromWebhook({ name, url, events, all_events }: Webhook): WebhookDraft {
  return { name, url, events, all_events };
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
