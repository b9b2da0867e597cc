import { HydrationBoundary } from '@tanstack/react-query';

import { PageTitle } from '#components/shell/page/page-title.tsx';
import { TeamPage } from '#components/team/list/team-page.tsx';
import { listMembers } from '#lib/api/members.ts';
import { membersQuery } from '#lib/queries/members.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function TeamSettingsPage() {
  const session = await requireSession();
  const state = await prefetch(membersQuery(session.account.id), listMembers);
  return (
    <HydrationBoundary state={state}>
      <PageTitle>{pageTitles.team}</PageTitle>
      <TeamPage viewer={session} />
    </HydrationBoundary>
  );
}
