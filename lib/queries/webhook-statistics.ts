import { queryOptions } from '@tanstack/react-query';
import type {
  StatisticsWindow,
  WebhookStatistics,
} from '../contract/webhooks/webhook-statistics.ts';
import { read } from './read.ts';
import { webhookQuery } from './webhooks.ts';

/** The key of the statistics in every window. */
export function webhookStatisticsKey(accountId: string, webhook: string) {
  return [...webhookQuery(accountId, webhook).queryKey, 'statistics'] as const;
}

/** Statistics about a webhook's attempts. Invalidating the webhook also invalidates them. */
export function webhookStatisticsQuery(
  accountId: string,
  webhook: string,
  window: StatisticsWindow,
) {
  const path = `webhooks/${encodeURIComponent(webhook)}/statistics`;
  return queryOptions({
    queryKey: [...webhookStatisticsKey(accountId, webhook), window],
    queryFn: ({ signal }) => read<WebhookStatistics>(accountId, `${path}?window=${window}`, signal),
  });
}
