import { ProfilePage } from '#components/person/profile/profile-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../page-titles.ts';

export default async function ProfileSettingsPage() {
  const session = await requireSession();
  const state = await prefetch(
    routeQuery(session, 'getEmailChange'),
    routeQuery(session, 'getMailPreferences'),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.profile}</PageTitle>
      <ProfilePage session={session} />
    </PrefetchedQueries>
  );
}
