'use client';

import { Siren } from 'lucide-react';

import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import type { Incident } from '#lib/contract/api-keys/incidents/incident.ts';

import { incidentPath } from '../api-key-path.ts';
import { incidentTitle } from './describe-incident.ts';

/** Says which incidents are in progress, and links to them. */
export function RunningIncidents({ incidents }: { incidents: readonly Incident[] }) {
  return incidents
    .filter(({ state }) => state === 'running')
    .map((incident) => (
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
