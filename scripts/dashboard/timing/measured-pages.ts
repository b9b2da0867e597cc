import type { MeasuredDashboard } from './measured-dashboard.ts';

/** Paths below an account’s settings, of the pages that are measured. */
export function measuredPages({
  webhook,
  apiKey,
}: Pick<MeasuredDashboard, 'webhook' | 'apiKey'>): string[] {
  return [
    'webhooks',
    `webhooks/${webhook.uuid}`,
    `webhooks/${webhook.uuid}/deliveries`,
    `webhooks/${webhook.uuid}/settings`,
    'webhooks/new',
    'api-keys',
    `api-keys/${apiKey.uuid}`,
    'api-keys/new',
    'events',
    'team',
    'audit-log',
    'account',
    'profile',
    'security',
  ];
}
