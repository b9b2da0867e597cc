import { SecurityPage } from '#components/person/security/security-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../page-titles.ts';

export default async function SecuritySettingsPage() {
  const session = await requireSession();
  const state = await prefetch(
    routeQuery(session, 'listSessions'),
    routeQuery(session, 'getSecondFactors'),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.security}</PageTitle>
      <SecurityPage session={session} />
    </PrefetchedQueries>
  );
}
