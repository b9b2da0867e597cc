import type { WebhookRow } from './store/webhooks.ts';

/** What the newest secret of a webhook signs: nothing while the webhook is inactive. */
export function describeSigning({ inactiveReason }: Pick<WebhookRow, 'inactiveReason'>): string {
  if (inactiveReason === null) return 'Deliveries are signed with it.';
  const active = inactiveReason === 'setup' ? 'active' : 'resumed';
  return `Deliveries will be signed with it once the webhook is ${active}.`;
}
