'use client';

import { useQuery } from '@tanstack/react-query';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { apiKeysPath, incidentPath } from '../api-key-path.ts';
import { describeIncidentOutcome } from './describe-incident.ts';
import { IncidentHeading } from './incident-heading.tsx';

/** The latest incidents, which are running or have ended. */
export function IncidentListPage({ session: { account } }: { session: Session }) {
  const read = useQuery({
    ...routeQuery(account.id, 'listIncidents'),
    refetchInterval: pageRefetchInterval,
  });
  const { data, error } = read;
  const incidents = dataIfPermitted(data, error);
  return (
    <>
      <IncidentHeading />
      <ReadFailure what="The list" shown="the incidents" noun="incidents" read={read} />
      {incidents?.length === 0 && (
        <EmptyState
          title="No incidents yet"
          actions={<ButtonLink href={apiKeysPath}>Go to API keys</ButtonLink>}
        >
          Select keys in the list, then rotate, pause or revoke them together.
        </EmptyState>
      )}
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {incidents?.map((incident) => (
          <li key={incident.uuid} className="border-t border-line py-2.5 last:border-b">
            <PageLink
              href={incidentPath(incident)}
              className="font-medium wrap-anywhere text-ink no-underline hover:underline"
            >
              {incident.reason}
            </PageLink>
            <p className="text-small text-ink-3">
              {describeIncidentOutcome(incident)} · {incident.created_by.name},{' '}
              <ExactTime value={incident.created_at} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
