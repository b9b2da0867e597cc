import type { StatisticsWindow } from '../contract/webhooks/webhook-statistics.ts';
import { queryOptions } from '@tanstack/react-query';
import { routeKey, routeQuery } from './route-query.ts';

export function webhooksQuery(accountId: string) {
  return queryOptions({
    ...routeQuery(accountId, 'listWebhooks', { query: { include: 'state' } }),
    select: (list) => list.filter((webhook) => 'status' in webhook),
  });
}

/** Statistics about a webhook's attempts, compared with the same span of time before. */
export function webhookStatisticsQuery(
  accountId: string,
  webhook: string,
  window: StatisticsWindow,
) {
  return routeQuery(accountId, 'getWebhookStatistics', {
    params: { webhook },
    query: { window, include: 'previous' },
  });
}

export function webhookStatisticsKey(accountId: string, webhook: string) {
  return routeKey(accountId, 'getWebhookStatistics', { params: { webhook } });
}
