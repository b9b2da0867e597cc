import { AccountPage } from '#components/account/page/account-page.tsx';
import { DeletedAccount } from '#components/account/deletion/deleted-account.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { getAccount } from '#lib/api/people/account.ts';
import { getAccountUsage } from '#lib/api/people/account-usage.ts';
import { getInstallationSupport } from '#lib/api/people/installation-support.ts';
import { listMembers } from '#lib/api/people/members.ts';
import { accountQuery, accountUsageQuery } from '#lib/queries/people/account.ts';
import { installationSupportQuery } from '#lib/queries/people/installation-support.ts';
import { membersQuery } from '#lib/queries/people/members.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';

import { pageTitles } from '../../page-titles.ts';

export default async function AccountSettingsPage() {
  const session = await requireSession();
  const { id, erased_at: erasedAt } = session.account;
  if (erasedAt !== null) {
    return (
      <>
        <PageTitle>{pageTitles.account}</PageTitle>
        <DeletedAccount account={session.account} erasedAt={erasedAt} />
      </>
    );
  }
  const state = await prefetch(
    [accountQuery(id), getAccount],
    [accountUsageQuery(id), getAccountUsage],
    [membersQuery(id), listMembers],
    [installationSupportQuery(id), getInstallationSupport],
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.account}</PageTitle>
      <AccountPage session={session} />
    </PrefetchedQueries>
  );
}
