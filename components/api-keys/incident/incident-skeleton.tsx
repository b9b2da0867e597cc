import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';

import { incidentsPath } from '../api-key-path.ts';
import { IncidentHeading } from './incident-heading.tsx';
import { IncidentKeyTable } from './incident-key-table.tsx';

/**
 * The page while its data is loading.
 * @param isOneIncident whether it is the page of one incident, not that on which keys are chosen
 */
export function IncidentSkeleton({ isOneIncident }: { isOneIncident: boolean }) {
  if (!isOneIncident) {
    return (
      <>
        <IncidentHeading />
        <IncidentKeyTable caption="Loading API keys" isBusy />
      </>
    );
  }
  return (
    <div aria-busy>
      <PageHeading crumb={{ href: incidentsPath, label: 'Incident' }} title="Incident" />
      <LinesSkeleton title="Keys" widths={[280, 220, 250]} />
    </div>
  );
}
