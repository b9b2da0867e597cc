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

/** What a webhook's attempts came to. What makes the webhook stale makes it stale too. */
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
