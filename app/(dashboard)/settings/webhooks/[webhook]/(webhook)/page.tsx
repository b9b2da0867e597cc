import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { unstable_rethrow } from 'next/navigation';

import { WebhookPage } from '#components/webhooks/webhook-page.tsx';
import { listDeliveries } from '#lib/api/deliveries.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { webhookQuery } from '#lib/queries/webhooks.ts';
import { requireSession } from '#lib/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { findWebhook } from '../find-webhook.ts';

type OneWebhookPageProps = { params: Promise<{ webhook: string }> };

export async function generateMetadata({ params }: OneWebhookPageProps): Promise<Metadata> {
  const webhook = await found((await params).webhook);
  return { title: webhook?.name ?? 'Webhook' };
}

export default async function OneWebhookPage({ params }: OneWebhookPageProps) {
  const reference = (await params).webhook;
  const { account, role } = await requireSession();
  await found(reference);
  const [state, deliveries] = await Promise.all([
    prefetch(webhookQuery(account.id, reference), () => findWebhook(reference)),
    // With filters in the address, the browser asks for itself.
    prefetch(deliveriesQuery(account.id, reference, {}), async () => ({
      pages: [await listDeliveries(reference, {})],
      pageParams: [null],
    })),
  ]);
  return (
    <HydrationBoundary state={state}>
      <HydrationBoundary state={deliveries}>
        <WebhookPage
          account={account}
          role={role}
          reference={reference}
          renderedAt={formatApiTime(new Date())}
        />
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
