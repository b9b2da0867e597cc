import { AccountPage } from '#components/account/account-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function AccountSettingsPage() {
  const session = await requireSession();
  return (
    <>
      <PageTitle>{pageTitles.account}</PageTitle>
      <AccountPage session={session} />
    </>
  );
}
