import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { TeamPage } from '#components/team/list/team-page.tsx';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../page-titles.ts';

export default async function TeamSettingsPage() {
  const session = await requireSession();
  const { role } = session;
  const { id } = session.account;
  const state = await prefetch(
    routeQuery(id, 'listMembers'),
    routeQuery(id, 'getInstallationSupport'),
    ...(mayAct(role, 'team.manage') ? [routeQuery(id, 'listInvitations')] : []),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.team}</PageTitle>
      <TeamPage session={session} />
    </PrefetchedQueries>
  );
}
