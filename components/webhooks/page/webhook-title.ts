import type { WebhookTab } from '../webhook-path.ts';

/** The title of a tab of a webhook's page. Without a name: it is not known. */
export function webhookTitle(tab: WebhookTab, name: string | undefined): string {
  if (tab === 'overview') return name ?? 'Webhook';
  const part = tab === 'deliveries' ? 'Deliveries' : 'Settings';
  return `${part} of ${name ?? 'a webhook'}`;
}
