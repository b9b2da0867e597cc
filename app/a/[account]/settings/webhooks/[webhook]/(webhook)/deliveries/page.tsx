import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookDeliveries } from '#components/webhooks/page/webhook-deliveries.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { nullIfUnreadable, orNotFound } from '../../../../failed-read.ts';

type WebhookDeliveriesPageProps = { params: Promise<{ webhook: string }> };

export default async function WebhookDeliveriesPage({ params }: WebhookDeliveriesPageProps) {
  const reference = (await params).webhook;
  const { account } = await requireSession();
  const [webhook, state] = await Promise.all([
    nullIfUnreadable(orNotFound(read('getWebhook', { params: { webhook: reference } }))),
    prefetch(
      // If the URL has filters, the browser reads the deliveries itself.
      deliveriesQuery(account.id, reference, {}),
      routeQuery(account.id, 'getDeliveryTotals', { params: { webhook: reference } }),
    ),
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{webhookTitle('deliveries', webhook?.name)}</PageTitle>
      <WebhookDeliveries />
    </PrefetchedQueries>
  );
}
