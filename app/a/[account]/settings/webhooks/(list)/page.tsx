import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';

import { WebhookListPage } from '#components/webhooks/list/webhook-list-page.tsx';
import { listWebhooks } from '#lib/api/webhooks.ts';
import { publicUrl } from '#lib/public-url.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { requireSession } from '#lib/session.ts';
import { formatApiTime } from '#lib/time.ts';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage() {
  const { account, role } = await requireSession();
  const state = await prefetch(webhooksQuery(account.id), listWebhooks);
  return (
    <HydrationBoundary state={state}>
      <WebhookListPage
        account={account}
        role={role}
        publicUrl={publicUrl()}
        renderedAt={formatApiTime(new Date())}
      />
    </HydrationBoundary>
  );
}
