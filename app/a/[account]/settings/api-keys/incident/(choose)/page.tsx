import { NuqsAdapter } from 'nuqs/adapters/next/app';

import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { IncidentHeading } from '#components/api-keys/incident/incident-heading.tsx';
import { IncidentPage } from '#components/api-keys/incident/incident-page.tsx';
import { readKeyFilters, toIncidentKeyFilters } from '#components/api-keys/incident/key-filters.ts';
import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { mayAct } from '#lib/contract/rights/roles.ts';
import type { SearchParams } from '#lib/paths/search-params.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';

import { pageTitles } from '../../../../page-titles.ts';

type ChooseKeysPageProps = {
  searchParams: Promise<SearchParams>;
};

export default async function ChooseKeysPage({ searchParams }: ChooseKeysPageProps) {
  const session = await requireSession();
  const { account, role } = session;
  if (!mayAct(role, 'api-keys.revoke')) {
    return (
      <>
        <PageTitle>{pageTitles.incident}</PageTitle>
        <IncidentHeading />
        <CannotUseForm
          action="rotate or revoke keys in bulk"
          accountName={account.name}
          back={{ href: apiKeysPath, label: 'Go to API keys' }}
        />
      </>
    );
  }
  const values = readKeyFilters(await searchParams);
  const filters = toIncidentKeyFilters(values);
  // The filter's days are in the reader's time zone, which only the browser knows, so the browser
  // reads the keys.
  const hasDays = values.from !== '' || values.to !== '';
  const state = await prefetch(
    ...(hasDays ? [] : [routeQuery(account.id, 'listIncidentKeys', { query: filters })]),
    routeQuery(account.id, 'listIncidents'),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.incident}</PageTitle>
      <NuqsAdapter>
        <IncidentPage session={session} />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
