import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { IncidentHeading } from '#components/api-keys/incident/incident-heading.tsx';
import { IncidentResultPage } from '#components/api-keys/incident/incident-result-page.tsx';
import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../../page-titles.ts';
import { orNotFound } from '../../../failed-read.ts';

type IncidentResultPageProps = { params: Promise<{ incident: string }> };

export default async function IncidentPage({ params }: IncidentResultPageProps) {
  const { incident: uuid } = await params;
  const session = await requireSession();
  if (!mayAct(session.role, 'api-keys.revoke')) {
    return (
      <>
        <PageTitle>{pageTitles.incident}</PageTitle>
        <IncidentHeading />
        <CannotUseForm
          action="see incidents"
          accountName={session.account.name}
          back={{ href: apiKeysPath, label: 'Go to API keys' }}
        />
      </>
    );
  }
  const input = { params: { incident: uuid } };
  await orNotFound(read('getIncident', input));
  const state = await prefetch(
    routeQuery(session.account.id, 'getIncident', input),
    routeQuery(session.account.id, 'listApiKeys'),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.incident}</PageTitle>
      <IncidentResultPage session={session} uuid={uuid} renderedAt={formatApiTime(new Date())} />
    </PrefetchedQueries>
  );
}
