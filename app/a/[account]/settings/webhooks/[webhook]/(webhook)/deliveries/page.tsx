import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';

import { WebhookDeliveries } from '#components/webhooks/page/webhook-deliveries.tsx';
import { getDeliveryTotals, listDeliveries } from '#lib/api/deliveries.ts';
import { deliveriesQuery, deliveryTotalsQuery } from '#lib/queries/deliveries.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session.ts';

import { findWebhookIfReadable } from '../../find-webhook-if-readable.ts';

type WebhookDeliveriesPageProps = { params: Promise<{ webhook: string }> };

export async function generateMetadata({ params }: WebhookDeliveriesPageProps): Promise<Metadata> {
  const webhook = await findWebhookIfReadable((await params).webhook);
  return { title: `Deliveries of ${webhook?.name ?? 'a webhook'}` };
}

export default async function WebhookDeliveriesPage({ params }: WebhookDeliveriesPageProps) {
  const reference = (await params).webhook;
  const { account } = await requireSession();
  const [deliveries, totals] = await Promise.all([
    // With filters in the address, the browser asks for itself.
    prefetch(deliveriesQuery(account.id, reference, {}), async () => ({
      pages: [await listDeliveries(reference, {})],
      pageParams: [null],
    })),
    prefetch(deliveryTotalsQuery(account.id, reference), () => getDeliveryTotals(reference)),
  ]);
  return (
    <HydrationBoundary state={deliveries}>
      <HydrationBoundary state={totals}>
        <WebhookDeliveries />
      </HydrationBoundary>
    </HydrationBoundary>
  );
}
