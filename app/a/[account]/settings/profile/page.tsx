import { ProfilePage } from '#components/person/profile/profile-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function ProfileSettingsPage() {
  const session = await requireSession();
  return (
    <>
      <PageTitle>{pageTitles.profile}</PageTitle>
      <ProfilePage session={session} />
    </>
  );
}
