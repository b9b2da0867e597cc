import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { ApiKeyListPage } from '#components/api-keys/list/api-key-list-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { publicUrl } from '#lib/paths/public-url.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../page-titles.ts';
import { rotationRequestQueries } from '../../rotation-request-queries.ts';

export default async function ApiKeysPage() {
  const session = await requireSession();
  const state = await prefetch(
    routeQuery(session.account.id, 'listApiKeys'),
    routeQuery(session.account.id, 'listTokensOfLeavers'),
    ...rotationRequestQueries(session),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.apiKeys}</PageTitle>
      <NuqsAdapter>
        <ApiKeyListPage
          session={session}
          publicUrl={publicUrl()}
          renderedAt={formatApiTime(new Date())}
        />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
