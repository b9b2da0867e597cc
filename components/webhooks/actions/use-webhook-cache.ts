import { useQueryClient } from '@tanstack/react-query';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { routeKey } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

export type WebhookCache = {
  /** Cancels reads in progress, whose responses would be older than what is shown next. */
  cancelReads: () => Promise<void>;
  replace: (webhook: Webhook) => void;
  remove: (webhook: Webhook) => void;
  /** Reads all webhooks and requests again. */
  refetch: () => void;
};

export function useWebhookCache(accountId: string): WebhookCache {
  const client = useQueryClient();
  const { queryKey } = webhooksQuery(accountId);
  return {
    cancelReads: () => client.cancelQueries(queriesAbout('webhooks', accountId)),
    replace: (webhook) => {
      client.setQueryData(queryKey, (list) =>
        list?.map((one) => (one.id === webhook.id ? webhook : one)),
      );
      // Its page may name it by its id or its UUID.
      client.setQueriesData<Webhook>({ queryKey: routeKey(accountId, 'getWebhook', {}) }, (one) =>
        one?.id === webhook.id ? webhook : one,
      );
    },
    remove: (webhook) => {
      client.setQueryData(queryKey, (list) => list?.filter(({ id }) => id !== webhook.id));
    },
    refetch: () => {
      void client.invalidateQueries(queriesAbout('webhooks', accountId));
      void client.invalidateQueries(queriesAbout('rotationRequests', accountId));
    },
  };
}
