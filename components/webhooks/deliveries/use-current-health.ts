import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { webhookStatisticsKey } from '#lib/queries/webhooks.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

type CurrentHealthInput = {
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  /** The deliveries in the table; undefined until they are read. */
  deliveries: readonly Delivery[] | undefined;
};

/** Reads the webhook, its totals and shown statistics again after its deliveries have changed. */
export function useCurrentHealth({ accountId, reference, deliveries }: CurrentHealthInput): void {
  const client = useQueryClient();
  const shown = deliveries
    ?.map(({ id, status, attempt_count: attempts }) => `${id} ${status} ${attempts}`)
    .join();
  const [first, setFirst] = useState(shown);
  if (first === undefined && shown !== undefined) setFirst(shown);

  useEffect(() => {
    if (shown === undefined || shown === first) return undefined;
    const { queryKey } = routeQuery(accountId, 'getWebhook', { params: { webhook: reference } });
    const readAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
    const timer = setTimeout(
      () => {
        setFirst(shown);
        void client.invalidateQueries({ queryKey: webhookStatisticsKey(accountId, reference) });
        void client.invalidateQueries(
          routeQuery(accountId, 'getDeliveryTotals', { params: { webhook: reference } }),
        );
        void client.invalidateQueries({ queryKey, exact: true });
      },
      Math.max(0, readAt + shortestGapMs - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [client, accountId, reference, shown, first]);
}

const shortestGapMs = 5_000;
