import { AccountPage } from '#components/account/page/account-page.tsx';
import { DeletedAccount } from '#components/account/deletion/deleted-account.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
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
    routeQuery(id, 'getAccount'),
    routeQuery(id, 'getAccountUsage'),
    routeQuery(id, 'listMembers'),
    routeQuery(id, 'getInstallationSupport'),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.account}</PageTitle>
      <AccountPage session={session} />
    </PrefetchedQueries>
  );
}
