'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import type { Delivery } from '#lib/contract/deliveries/deliveries.ts';
import { webhookStatisticsKey } from '#lib/queries/webhook-statistics.ts';
import { webhookQuery } from '#lib/queries/webhooks.ts';

type CurrentHealthInput = {
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  /** What the table shows; undefined until it is read. */
  deliveries: readonly Delivery[] | undefined;
};

/**
 * Reads the webhook and its statistics again when its deliveries have changed, so that the page does
 * not contradict itself. The statistics of a month are costly, so this happens not too often.
 */
export function useCurrentHealth({ accountId, reference, deliveries }: CurrentHealthInput): void {
  const client = useQueryClient();
  const shown = deliveries
    ?.map(({ id, status, attempt_count: attempts }) => `${id} ${status} ${attempts}`)
    .join();
  const [first, setFirst] = useState(shown);
  if (first === undefined && shown !== undefined) setFirst(shown);

  useEffect(() => {
    if (shown === undefined || shown === first) return undefined;
    const statistics = { queryKey: webhookStatisticsKey(accountId, reference) };
    const reads = client.getQueryCache().findAll({ ...statistics, type: 'active' });
    const readAt = Math.max(0, ...reads.map(({ state }) => state.dataUpdatedAt));
    const timer = setTimeout(
      () => {
        setFirst(shown);
        void client.invalidateQueries(statistics);
        void client.invalidateQueries({ ...webhookQuery(accountId, reference), exact: true });
      },
      Math.max(0, readAt + SHORTEST_GAP_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [client, accountId, reference, shown, first]);
}

const SHORTEST_GAP_MS = 5_000;
