import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookDeliveries } from '#components/webhooks/page/webhook-deliveries.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { getDeliveryTotals, listDeliveries } from '#lib/api/deliveries.ts';
import { deliveriesQuery, deliveryTotalsQuery } from '#lib/queries/deliveries.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';

import { findWebhookIfReadable } from '../../find-webhook-if-readable.ts';

type WebhookDeliveriesPageProps = { params: Promise<{ webhook: string }> };

export default async function WebhookDeliveriesPage({ params }: WebhookDeliveriesPageProps) {
  const reference = (await params).webhook;
  const { account } = await requireSession();
  const [webhook, deliveries, totals] = await Promise.all([
    findWebhookIfReadable(reference),
    // If the URL has filters, the browser reads the deliveries itself.
    prefetch(deliveriesQuery(account.id, reference, {}), async () => ({
      pages: [await listDeliveries(reference, {})],
      pageParams: [null],
    })),
    prefetch(deliveryTotalsQuery(account.id, reference), () => getDeliveryTotals(reference)),
  ]);
  return (
    <PrefetchedQueries state={deliveries}>
      <PageTitle>{webhookTitle('deliveries', webhook?.name)}</PageTitle>
      <PrefetchedQueries state={totals}>
        <WebhookDeliveries />
      </PrefetchedQueries>
    </PrefetchedQueries>
  );
}
