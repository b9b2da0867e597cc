import { RotationRequestListPage } from '#components/api-keys/rotation-requests/rotation-request-list-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { listRotationRequestHistory } from '#lib/api/rotation-requests.ts';
import { firstPageOf, prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestHistoryQuery } from '#lib/queries/rotation-requests.ts';
import { requireSession } from '#lib/session/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function RotationRequestsPage() {
  const session = await requireSession();
  const state = await prefetch([
    rotationRequestHistoryQuery(session.account.id),
    firstPageOf(listRotationRequestHistory),
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.rotationRequests}</PageTitle>
      <RotationRequestListPage session={session} />
    </PrefetchedQueries>
  );
}
