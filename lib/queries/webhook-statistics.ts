import { queryOptions } from '@tanstack/react-query';
import type {
  StatisticsWindow,
  WebhookStatistics,
} from '../contract/webhooks/webhook-statistics.ts';
import { read } from './read.ts';
import { webhookQuery } from './webhooks.ts';

/** What a webhook's attempts came to. What makes the webhook stale makes it stale too. */
export function webhookStatisticsQuery(
  accountId: string,
  webhook: string,
  window: StatisticsWindow,
) {
  const path = `webhooks/${encodeURIComponent(webhook)}/statistics`;
  return queryOptions({
    queryKey: [...webhookQuery(accountId, webhook).queryKey, 'statistics', window],
    queryFn: ({ signal }) => read<WebhookStatistics>(accountId, `${path}?window=${window}`, signal),
  });
}
