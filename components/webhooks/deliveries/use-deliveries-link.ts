'use client';

import { useSearchParams } from 'next/navigation';
import type { MouseEvent } from 'react';

import type { DeliveryView } from './delivery-view.ts';
import { useDeliveryView } from './use-delivery-view.ts';

/** Some deliveries of the webhook: those of a status, made in a window of time. */
export type LinkedDeliveries = Pick<DeliveryView, 'status' | 'from' | 'to'>;

/**
 * A link that shows some deliveries in the table of this page and moves the focus there. Its address
 * shows the same on a page of its own.
 */
export function useDeliveriesLink({ status, from, to }: LinkedDeliveries): {
  href: string;
  onClick: (event: MouseEvent) => void;
} {
  const search = new URLSearchParams(useSearchParams());
  const [, change] = useDeliveryView();
  for (const name of ['q', 'status', 'event', 'since', 'from', 'to', 'delivery'])
    search.delete(name);
  if (status !== 'any') search.set('status', status);
  if (from) search.set('from', from.toISOString());
  if (to) search.set('to', to.toISOString());
  return {
    href: `?${search.toString()}#deliveries`,
    onClick: (event) => {
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (event.defaultPrevented || opensElsewhere) return;
      event.preventDefault();
      change({ q: '', status, event: 'any', since: 'any', from, to }, { history: 'push' });
      document.querySelector<HTMLElement>('#deliveries h2')?.focus();
    },
  };
}
