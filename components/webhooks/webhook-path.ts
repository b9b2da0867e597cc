import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

/** The path of the list, below the account's path. */
export const webhooksPath = 'settings/webhooks';

export const webhookTabs = ['overview', 'deliveries', 'settings'] as const;

export type WebhookTab = (typeof webhookTabs)[number];

/** The path of the webhook's page, or of another tab of it. */
export function webhookPath({ uuid }: Pick<Webhook, 'uuid'>, tab: WebhookTab = 'overview'): string {
  const page = `${webhooksPath}/${uuid}`;
  return tab === 'overview' ? page : `${page}/${tab}`;
}

/** The tab that a full path shows, with or without its query. */
export function webhookTabOf(path: string): WebhookTab {
  const last = path.split(/[?#]/)[0]?.split('/').at(-1);
  return webhookTabs.find((tab) => tab === last) ?? 'overview';
}

/** The path of the page that finds out why a signature does not match. */
export function signatureDoctorPath(webhook: Pick<Webhook, 'uuid'>): string {
  return `${webhookPath(webhook)}/signature`;
}

/** The id of the webhook's link in the list. It takes the focus once its set-up was left. */
export function webhookLinkId({ id }: Pick<Webhook, 'id'>): string {
  return `webhook-${id}`;
}

/** The id of the button on the page of a new webhook that sends its first test. */
export const firstTestId = 'send-first-test';

/** The id of the link to the form. It takes the focus after the form was saved. */
export const editLinkId = 'edit-webhook';

/** The id of the heading of the deliveries. It takes the focus after a link to some of them. */
export const deliveriesHeadingId = 'deliveries-heading';
