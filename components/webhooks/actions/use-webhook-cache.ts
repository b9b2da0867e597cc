'use client';

import { useQueryClient } from '@tanstack/react-query';

import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

export type WebhookCache = {
  /** Cancels reads in progress, whose responses would be older than what is shown next. */
  cancelReads: () => Promise<void>;
  /** Replaces the webhook in the list and on its page. */
  replace: (webhook: Webhook) => void;
  /** Removes the webhook from the list. */
  remove: (webhook: Webhook) => void;
  /** Reads all webhooks and requests again. */
  refetch: () => void;
};

/** Access to the query cache of the account's webhooks. */
export function useWebhookCache(accountId: string): WebhookCache {
  const client = useQueryClient();
  const { queryKey } = webhooksQuery(accountId);
  return {
    cancelReads: () => client.cancelQueries({ queryKey }),
    replace: (webhook) => {
      client.setQueryData(queryKey, (list) =>
        list?.map((one) => (one.id === webhook.id ? webhook : one)),
      );
      client.setQueriesData<Webhook>(
        { queryKey, predicate: (query) => query.queryKey.length > queryKey.length },
        (one) => (one?.id === webhook.id ? webhook : one),
      );
    },
    remove: (webhook) => {
      client.setQueryData(queryKey, (list) => list?.filter(({ id }) => id !== webhook.id));
    },
    refetch: () => {
      // The query keys of single keys and webhooks begin with the list's, so this covers them as
      // well.
      void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: rotationRequestsQuery(accountId).queryKey });
    },
  };
}
