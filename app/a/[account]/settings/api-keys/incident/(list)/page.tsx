import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { IncidentHeading } from '#components/api-keys/incident/incident-heading.tsx';
import { IncidentListPage } from '#components/api-keys/incident/incident-list-page.tsx';
import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../../../page-titles.ts';

export default async function IncidentsPage() {
  const session = await requireSession();
  const { account, role } = session;
  if (!mayAct(role, 'api-keys.revoke')) {
    return (
      <>
        <PageTitle>{pageTitles.incidents}</PageTitle>
        <IncidentHeading />
        <CannotUseForm
          action="see incidents"
          accountName={account.name}
          back={{ href: apiKeysPath, label: 'Go to API keys' }}
        />
      </>
    );
  }
  return (
    <PrefetchedQueries state={await prefetch(routeQuery(account.id, 'listIncidents'))}>
      <PageTitle>{pageTitles.incidents}</PageTitle>
      <IncidentListPage session={session} />
    </PrefetchedQueries>
  );
}
