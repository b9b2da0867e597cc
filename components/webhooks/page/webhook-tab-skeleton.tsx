// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import {
  BoxSkeleton,
  ColumnsSkeleton,
  LinesSkeleton,
} from '#components/shell/page/page-skeleton.tsx';

import { DeliveriesSkeleton } from '../deliveries/deliveries-skeleton.tsx';
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
          <DeliveriesSkeleton />
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
