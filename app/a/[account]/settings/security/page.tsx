import { SecurityPage } from '#components/person/security/security-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { getSecondFactors } from '#lib/api/people/second-factors.ts';
import { listSessions } from '#lib/api/people/session.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { secondFactorsQuery } from '#lib/queries/people/second-factors.ts';
import { sessionsQuery } from '#lib/queries/people/session.ts';
import { requireSession } from '#lib/session/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function SecuritySettingsPage() {
  const session = await requireSession();
  const state = await prefetch(
    [sessionsQuery(session), listSessions],
    [secondFactorsQuery(session), getSecondFactors],
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.security}</PageTitle>
      <SecurityPage session={session} />
    </PrefetchedQueries>
  );
}
