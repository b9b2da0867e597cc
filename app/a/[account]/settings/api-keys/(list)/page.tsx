import { NuqsAdapter } from 'nuqs/adapters/next/app';

import { ApiKeyListPage } from '#components/api-keys/list/api-key-list-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { listApiKeys } from '#lib/api/api-keys.ts';
import { publicUrl } from '#lib/paths/public-url.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { pageTitles } from '../../../page-titles.ts';
import { prefetchRotationRequests } from '../../prefetch-rotation-requests.ts';

export default async function ApiKeysPage() {
  const session = await requireSession();
  const state = await prefetch(
    [apiKeysQuery(session.account.id), listApiKeys],
    ...prefetchRotationRequests(session),
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
