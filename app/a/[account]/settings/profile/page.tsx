import { HydrationBoundary } from '@tanstack/react-query';

import { ProfilePage } from '#components/person/profile/profile-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { getEmailChange } from '#lib/api/profile.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { emailChangeQuery } from '#lib/queries/session.ts';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function ProfileSettingsPage() {
  const session = await requireSession();
  const state = await prefetch(emailChangeQuery(session), getEmailChange);
  return (
    <HydrationBoundary state={state}>
      <PageTitle>{pageTitles.profile}</PageTitle>
      <ProfilePage session={session} />
    </HydrationBoundary>
  );
}
