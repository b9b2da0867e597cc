import { ControlSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';

import { AuditLogHeading } from './audit-log-heading.tsx';
import { EntryTableSkeleton } from './entry-columns.tsx';

/** The page while its data is loading: heading, filters and skeleton rows. */
export function AuditLogSkeleton() {
  return (
    <>
      <AuditLogHeading action={<ControlSkeleton width={96} />} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex h-control items-center max-sm:h-32">
          <Skeleton width={420} />
        </div>
        <EntryTableSkeleton />
      </div>
    </>
  );
}
