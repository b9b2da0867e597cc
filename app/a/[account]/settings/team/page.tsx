import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { TeamPage } from '#components/team/list/team-page.tsx';
import { getInstallationSupport } from '#lib/api/people/installation-support.ts';
import { listInvitations } from '#lib/api/people/invitations.ts';
import { listMembers } from '#lib/api/people/members.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { installationSupportQuery } from '#lib/queries/people/installation-support.ts';
import { invitationsQuery } from '#lib/queries/people/invitations.ts';
import { membersQuery } from '#lib/queries/people/members.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function TeamSettingsPage() {
  const session = await requireSession();
  const { role } = session;
  const { id } = session.account;
  const state = await prefetch(
    [membersQuery(id), listMembers],
    [installationSupportQuery(id), getInstallationSupport],
    ...(mayAct(role, 'team.manage') ? [[invitationsQuery(id), listInvitations] as const] : []),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.team}</PageTitle>
      <TeamPage session={session} />
    </PrefetchedQueries>
  );
}
