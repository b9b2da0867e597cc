import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookOverview } from '#components/webhooks/page/webhook-overview.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { getWebhookStatistics, statisticsWindowOf } from '#lib/api/webhook-statistics.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhook-statistics.ts';
import { requireSession } from '#lib/session/session.ts';

import { nullIfUnreadable } from '../../../failed-read.ts';
import { findWebhook } from '../find-webhook.ts';

type WebhookOverviewPageProps = {
  params: Promise<{ webhook: string }>;
  searchParams: Promise<SearchParams>;
};

export default async function WebhookOverviewPage({
  params,
  searchParams,
}: WebhookOverviewPageProps) {
  const reference = (await params).webhook;
  const window = statisticsWindowOf((await searchParams)['window']);
  const { account } = await requireSession();
  const [webhook, state] = await Promise.all([
    nullIfUnreadable(findWebhook(reference)),
    prefetch([
      webhookStatisticsQuery(account.id, reference, window),
      () => getWebhookStatistics(reference, window),
    ]),
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{webhookTitle('overview', webhook?.name)}</PageTitle>
      <WebhookOverview />
    </PrefetchedQueries>
  );
}
