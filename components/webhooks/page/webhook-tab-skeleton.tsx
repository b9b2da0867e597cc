// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import {
  BoxSkeleton,
  ColumnsSkeleton,
  LinesSkeleton,
} from '#components/shell/page/page-skeleton.tsx';
import { DeliveryTableSkeleton } from '../deliveries/delivery-columns.tsx';
import { HealthSkeleton } from '../health/health-skeleton.tsx';
import type { WebhookTab } from '../webhook-path.ts';

/** A tab of a webhook's page while its data is loading. */
export function WebhookTabSkeleton({ tab }: { tab: WebhookTab }) {
  switch (tab) {
    case 'overview':
      return (
        <section>
          <h2 className="sr-only">Health</h2>
          <HealthSkeleton />
        </section>
      );
    case 'deliveries':
      return (
        <section>
          <h2 className="sr-only">Deliveries</h2>
          <div aria-busy className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <div className="flex h-18 flex-col justify-around max-sm:h-40">
              <Skeleton width={340} />
              <Skeleton width={520} />
            </div>
            <DeliveryTableSkeleton />
          </div>
        </section>
      );
    case 'settings':
      return (
        <>
          <ColumnsSkeleton>
            <LinesSkeleton title="Details" widths={[300, 120, 90, 170, 280]} />
            <LinesSkeleton title="Events" widths={[260, 220, 200]} />
          </ColumnsSkeleton>
          <BoxSkeleton title="Signing secret" widths={[160, 220]} />
        </>
      );
  }
}
