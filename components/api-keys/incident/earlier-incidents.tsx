'use client';

import { Section } from '#components/shell/page/section.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { Incident } from '#lib/contract/api-keys/incidents/incident.ts';

import { incidentPath } from '../api-key-path.ts';
import { describeIncidentOutcome } from './describe-incident.ts';

/** Links to the incidents that have ended. */
export function EarlierIncidents({ incidents }: { incidents: readonly Incident[] }) {
  const ended = incidents.filter(({ state }) => state !== 'running');
  if (ended.length === 0) return null;
  return (
    <Section title="Earlier incidents">
      <ul className="grid grid-cols-[minmax(0,1fr)]">
        {ended.map((incident) => (
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
