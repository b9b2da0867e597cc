import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';

import { incidentsPath } from '../api-key-path.ts';
import { IncidentHeading } from './incident-heading.tsx';
import { IncidentKeyTable } from './incident-key-table.tsx';

/** The page while its data is loading. @param isRun whether it is that of one incident */
export function IncidentSkeleton({ isRun }: { isRun: boolean }) {
  if (!isRun) {
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
