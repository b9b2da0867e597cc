'use client';

import { Siren } from 'lucide-react';

import { Section } from '#components/shell/page/section.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { Incident } from '#lib/contract/api-keys/incidents.ts';

import { incidentPath } from '../api-key-path.ts';
import { describeIncidentOutcome, incidentTitle } from './describe-incident.ts';

type PastIncidentsProps = { incidents: readonly Incident[]; only: 'running' | 'over' };

/** Links to the incident in progress, or to those that have ended. */
export function PastIncidents({ incidents, only }: PastIncidentsProps) {
  const shown = incidents.filter(({ state }) => (state === 'running') === (only === 'running'));
  if (shown.length === 0) return null;
  if (only === 'running') {
    return shown.map((incident) => (
      <Banner
        key={incident.uuid}
        icon={<Siren />}
        title={incidentTitle(incident)}
        action={
          <ButtonLink size="small" href={incidentPath(incident)}>
            View progress
          </ButtonLink>
        }
      >
        {incident.created_by.name} started it: {incident.reason}
      </Banner>
    ));
  }
  return (
    <Section title="Earlier incidents">
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {shown.map((incident) => (
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
    </Section>
  );
}
