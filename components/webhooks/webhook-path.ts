import type { Webhook } from '#lib/contract/webhooks.ts';

/** The list, in its account. */
export const webhooksPath = 'settings/webhooks';

/** The webhook's own page. */
export function webhookPath({ uuid }: Pick<Webhook, 'uuid'>): string {
  return `${webhooksPath}/${uuid}`;
}

/** The link to it in the list, for the focus to arrive at. */
export function webhookLinkId({ id }: Pick<Webhook, 'id'>): string {
  return `webhook-${id}`;
}
