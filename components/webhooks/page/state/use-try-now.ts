'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import { retryDelivery } from '#lib/actions/webhooks.ts';
import { webhookStatisticsKey } from '#lib/queries/webhooks.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';

import { useCurrentHealth } from '../../deliveries/use-current-health.ts';
import { useRefetchAfterRefusal } from '../../use-refetch-after-refusal.ts';

type TryNowInput = {
  accountId: string;
  /** From the URL: the webhook's uuid or id. */
  reference: string;
};

/** Sends a delivery of a webhook at once, and reads its health again as soon as it was sent. */
export function useTryNow({ accountId, reference }: TryNowInput) {
  const client = useQueryClient();
  const { run, ...action } = useAction();
  const onNotDone = useRefetchAfterRefusal(accountId);
  const [tried, setTried] = useState<Delivery | null>(null);
  const { data } = useQuery({
    ...deliveryQuery(accountId, tried?.uuid ?? ''),
    enabled: tried !== null,
  });
  const current = data ?? tried;
  useCurrentHealth({ accountId, reference, deliveries: current ? [current] : undefined });

  function tryNow(uuid: string) {
    run(() => retryDelivery({ params: { delivery: uuid } }), {
      onNotDone,
      onDone: ({ data: delivery }) => {
        setTried(delivery);
        void client.invalidateQueries({ queryKey: webhookStatisticsKey(accountId, reference) });
      },
    });
  }

  return { ...action, tryNow, outcome: tried && data ? describeOutcome(tried, data) : null };
}

/** Null while the attempt is in progress. */
function describeOutcome(tried: Delivery, latest: Delivery): string | null {
  if (latest.attempt_count === tried.attempt_count) return null;
  return latest.status === 'delivered' ? 'The attempt succeeded.' : 'The attempt failed.';
}
