import { notFound } from 'next/navigation';

import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { IncidentHeading } from '#components/api-keys/incident/incident-heading.tsx';
import { IncidentResultPage } from '#components/api-keys/incident/incident-result-page.tsx';
import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { listApiKeys } from '#lib/api/api-keys.ts';
import { getIncident } from '#lib/api/incidents.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { incidentQuery } from '#lib/queries/incidents.ts';
import { prefetchAll } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { pageTitles } from '../../../../page-titles.ts';

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
  const incident = await findIncident(uuid);
  const state = await prefetchAll([
    [incidentQuery(session.account.id, uuid), () => Promise.resolve(incident)],
    [apiKeysQuery(session.account.id), listApiKeys],
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.incident}</PageTitle>
      <IncidentResultPage session={session} uuid={uuid} renderedAt={formatApiTime(new Date())} />
    </PrefetchedQueries>
  );
}

/** An incident that does not exist or belongs to another account leads to the not-found page. */
async function findIncident(uuid: string): Promise<IncidentWithKeys> {
  try {
    return await getIncident(uuid);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
}
