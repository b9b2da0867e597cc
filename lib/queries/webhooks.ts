import { queryOptions } from '@tanstack/react-query';
import type { Webhook } from '../contract/webhooks/webhook.ts';
import { read } from './read.ts';

/**
 * All webhooks of the account, as the browser refetches them. The server prefetches under the same
 * key.
 */
export function webhooksQuery(accountId: string) {
  return queryOptions({
    queryKey: ['webhooks', accountId],
    queryFn: ({ signal }) => read<Webhook[]>(accountId, 'webhooks', signal),
  });
}

/**
 * One webhook. Its query key starts with the list's, so that invalidating the list also invalidates
 * this.
 */
export function webhookQuery(accountId: string, webhook: string) {
  return queryOptions({
    queryKey: ['webhooks', accountId, webhook],
    queryFn: ({ signal }) =>
      read<Webhook>(accountId, `webhooks/${encodeURIComponent(webhook)}`, signal),
  });
}
