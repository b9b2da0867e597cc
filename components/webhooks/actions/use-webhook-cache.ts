'use client';

import { useQueryClient } from '@tanstack/react-query';

import type { Webhook } from '#lib/contract/webhooks.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

type WebhookCache = {
  /** Lets no answer under way arrive: it would be older than what is about to be shown. */
  cancelReads: () => Promise<void>;
  /** Shows this webhook as given, in the list and on its page. */
  replace: (webhook: Webhook) => void;
  /** Takes it from the list. */
  remove: (webhook: Webhook) => void;
  /** Makes what was read of any webhook be read again. */
  refetch: () => void;
};

/** What the browser has read of the account's webhooks. */
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
    // The keys of the single ones begin with the list's, so they are meant as well.
    refetch: () => void client.invalidateQueries({ queryKey }),
  };
}
