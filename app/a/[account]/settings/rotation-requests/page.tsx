import { RotationRequestListPage } from '#components/api-keys/rotation-requests/rotation-request-list-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { rotationRequestHistoryQuery } from '#lib/queries/requests.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../page-titles.ts';

export default async function RotationRequestsPage() {
  const session = await requireSession();
  const state = await prefetch(rotationRequestHistoryQuery(session.account.id));
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.rotationRequests}</PageTitle>
      <RotationRequestListPage session={session} />
    </PrefetchedQueries>
  );
}
