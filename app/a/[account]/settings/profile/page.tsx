import { HydrationBoundary } from '@tanstack/react-query';

import { ProfilePage } from '#components/person/profile/profile-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { getEmailChange, getMailPreferences } from '#lib/api/people/profile.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { emailChangeQuery, mailPreferencesQuery } from '#lib/queries/session.ts';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function ProfileSettingsPage() {
  const session = await requireSession();
  const [emailChange, mailPreferences] = await Promise.all([
    prefetch(emailChangeQuery(session), getEmailChange),
    prefetch(mailPreferencesQuery(session), getMailPreferences),
  ]);
  return (
    <HydrationBoundary state={emailChange}>
      <HydrationBoundary state={mailPreferences}>
        <PageTitle>{pageTitles.profile}</PageTitle>
        <ProfilePage session={session} />
      </HydrationBoundary>
    </HydrationBoundary>
  );
}
