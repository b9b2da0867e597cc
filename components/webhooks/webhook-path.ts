import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

/** The path of the list, below the account's path. */
export const webhooksPath = 'settings/webhooks';

/** The path of the webhook's page. */
export function webhookPath({ uuid }: Pick<Webhook, 'uuid'>): string {
  return `${webhooksPath}/${uuid}`;
}

/** The id of the link to the webhook in the list. It takes the focus after the webhook was created. */
export function webhookLinkId({ id }: Pick<Webhook, 'id'>): string {
  return `webhook-${id}`;
}

/** The id of the link to the form. It takes the focus after the form was saved. */
export const EDIT_LINK_ID = 'edit-webhook';
