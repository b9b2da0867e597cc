import { infiniteQueryOptions } from '@tanstack/react-query';
import type { DeliveriesPage } from '../api/deliveries.ts';
import { read } from './read.ts';
import { webhookQuery } from './webhooks.ts';

/** A webhook's deliveries, newest first. What makes the webhook stale makes them stale too. */
export function deliveriesQuery(accountId: string, webhook: string) {
  const path = `/data/webhooks/${encodeURIComponent(webhook)}/deliveries` as const;
  return infiniteQueryOptions({
    queryKey: [...webhookQuery(accountId, webhook).queryKey, 'deliveries'],
    queryFn: ({ pageParam: older, signal }) =>
      read<DeliveriesPage>(
        older === null ? path : `${path}?older=${encodeURIComponent(older)}`,
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.older,
  });
}
