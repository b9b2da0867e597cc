import type { Webhook } from '#lib/contract/webhooks.ts';

/** The list, in its account. */
export const webhooksPath = 'settings/webhooks';

/** The webhook's own page. */
export function webhookPath({ uuid }: Pick<Webhook, 'uuid'>): string {
  return `${webhooksPath}/${uuid}`;
}

/** The id of the link to the webhook in the list. It takes the focus after the webhook was created. */
export function webhookLinkId({ id }: Pick<Webhook, 'id'>): string {
  return `webhook-${id}`;
}

/** The id of the link to the form. It takes the focus after the form was saved. */
export const EDIT_LINK_ID = 'edit-webhook';
