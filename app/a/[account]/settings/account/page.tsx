import { HydrationBoundary } from '@tanstack/react-query';

import { AccountPage } from '#components/account/account-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { getInstallationSupport } from '#lib/api/installation-support.ts';
import { installationSupportQuery } from '#lib/queries/installation-support.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function AccountSettingsPage() {
  const session = await requireSession();
  const query = installationSupportQuery(session.account.id);
  return (
    <HydrationBoundary state={await prefetch(query, getInstallationSupport)}>
      <PageTitle>{pageTitles.account}</PageTitle>
      <AccountPage session={session} />
    </HydrationBoundary>
  );
}
