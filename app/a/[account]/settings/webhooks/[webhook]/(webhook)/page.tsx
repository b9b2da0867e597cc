import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { unstable_rethrow } from 'next/navigation';

import { WebhookPage } from '#components/webhooks/page/webhook-page.tsx';
import { listDeliveries } from '#lib/api/deliveries.ts';
import { getWebhookStatistics, statisticsWindowOf } from '#lib/api/webhook-statistics.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhook-statistics.ts';
import { webhookQuery } from '#lib/queries/webhooks.ts';
import { requireSession } from '#lib/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { findWebhook } from '../find-webhook.ts';

type OneWebhookPageProps = {
  params: Promise<{ webhook: string }>;
  searchParams: Promise<{ window?: string | string[] }>;
};

export async function generateMetadata({ params }: OneWebhookPageProps): Promise<Metadata> {
  const webhook = await found((await params).webhook);
  return { title: webhook?.name ?? 'Webhook' };
}

export default async function OneWebhookPage({ params, searchParams }: OneWebhookPageProps) {
  const reference = (await params).webhook;
  const window = statisticsWindowOf((await searchParams).window);
  const { account, role } = await requireSession();
  await found(reference);
  const [state, deliveries, statistics] = await Promise.all([
    prefetch(webhookQuery(account.id, reference), () => findWebhook(reference)),
    // With filters in the address, the browser asks for itself.
    prefetch(deliveriesQuery(account.id, reference, {}), async () => ({
      pages: [await listDeliveries(reference, {})],
      pageParams: [null],
    })),
    prefetch(webhookStatisticsQuery(account.id, reference, window), () =>
      getWebhookStatistics(reference, window),
    ),
  ]);
  return (
    <HydrationBoundary state={state}>
      <HydrationBoundary state={deliveries}>
        <HydrationBoundary state={statistics}>
          <WebhookPage
            account={account}
            role={role}
            reference={reference}
            renderedAt={formatApiTime(new Date())}
          />
        </HydrationBoundary>
      </HydrationBoundary>
    </HydrationBoundary>
  );
}

/** Null for one that could not be read just now: the page then asks again and says what went wrong. */
async function found(reference: string) {
  try {
    return await findWebhook(reference);
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}
