import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { WebhookListPage } from '#components/webhooks/list/webhook-list-page.tsx';
import { publicUrl } from '#lib/paths/public-url.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../page-titles.ts';

export default async function WebhooksPage() {
  const { account, person, role } = await requireSession();
  const state = await prefetch(webhooksQuery(account.id));
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.webhooks}</PageTitle>
      <NuqsAdapter>
        <WebhookListPage
          account={account}
          personId={person.id}
          role={role}
          publicUrl={publicUrl()}
          renderedAt={formatApiTime(new Date())}
        />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
