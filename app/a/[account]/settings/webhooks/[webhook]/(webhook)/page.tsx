import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookOverview } from '#components/webhooks/page/webhook-overview.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { statisticsWindows } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { StatisticsWindow } from '#lib/contract/webhooks/webhook-statistics.ts';
import { keysOf } from '#lib/object-keys.ts';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhooks.ts';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { nullIfUnreadable, orNotFound } from '../../../failed-read.ts';

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
    nullIfUnreadable(orNotFound(read('getWebhook', { params: { webhook: reference } }))),
    prefetch(webhookStatisticsQuery(account.id, reference, window)),
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{webhookTitle('overview', webhook?.name)}</PageTitle>
      <WebhookOverview />
    </PrefetchedQueries>
  );
}

/** The window that the URL asks for; the shortest if it names no valid window. */
function statisticsWindowOf(asked: unknown): StatisticsWindow {
  return keysOf(statisticsWindows).find((window) => window === asked) ?? '24h';
}
