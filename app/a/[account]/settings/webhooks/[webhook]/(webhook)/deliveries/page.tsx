import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookDeliveries } from '#components/webhooks/page/webhook-deliveries.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { getDeliveryTotals, listDeliveries } from '#lib/api/deliveries.ts';
import { deliveriesQuery, deliveryTotalsQuery } from '#lib/queries/deliveries.ts';
import { firstPageOf, prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';

import { nullIfUnreadable } from '../../../../failed-read.ts';
import { findWebhook } from '../../find-webhook.ts';

type WebhookDeliveriesPageProps = { params: Promise<{ webhook: string }> };

export default async function WebhookDeliveriesPage({ params }: WebhookDeliveriesPageProps) {
  const reference = (await params).webhook;
  const { account } = await requireSession();
  const [webhook, state] = await Promise.all([
    nullIfUnreadable(findWebhook(reference)),
    prefetch(
      // If the URL has filters, the browser reads the deliveries itself.
      [
        deliveriesQuery(account.id, reference, {}),
        firstPageOf(() => listDeliveries(reference, {})),
      ],
      [deliveryTotalsQuery(account.id, reference), () => getDeliveryTotals(reference)],
    ),
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{webhookTitle('deliveries', webhook?.name)}</PageTitle>
      <WebhookDeliveries />
    </PrefetchedQueries>
  );
}
