import { OldTokensPage } from '#components/api-keys/list/old-tokens-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../../page-titles.ts';

export default async function OldTokens() {
  const { account } = await requireSession();
  const state = await prefetch(routeQuery(account.id, 'listOldTokens'));
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.oldTokens}</PageTitle>
      <OldTokensPage accountId={account.id} />
    </PrefetchedQueries>
  );
}
