import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookFrame } from '#components/webhooks/page/webhook-frame.tsx';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { nullIfUnreadable, orNotFound } from '../../../failed-read.ts';
import { rotationRequestQueries } from '../../../rotation-request-queries.ts';

type WebhookLayoutProps = { params: Promise<{ webhook: string }>; children: ReactNode };

/** Stays on the screen while a person switches tabs. Each tab is a page that reads its own data. */
export default async function WebhookLayout({ params, children }: WebhookLayoutProps) {
  const reference = (await params).webhook;
  const session = await requireSession();
  const { account, person, role } = session;
  // Leads to the not-found page if there is no such webhook. A prefetch only leaves out its data.
  await nullIfUnreadable(orNotFound(read('getWebhook', { params: { webhook: reference } })));
  const state = await prefetch(
    routeQuery(account.id, 'getWebhook', { params: { webhook: reference } }),
    ...rotationRequestQueries(session),
  );
  return (
    <PrefetchedQueries state={state}>
      <NuqsAdapter>
        <WebhookFrame
          account={account}
          personId={person.id}
          role={role}
          reference={reference}
          renderedAt={formatApiTime(new Date())}
        >
          {children}
        </WebhookFrame>
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
