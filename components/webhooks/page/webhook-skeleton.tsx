import {
  BoxSkeleton,
  ColumnsSkeleton,
  LinesSkeleton,
  PageSkeleton,
} from '#components/shell/page/page-skeleton.tsx';

import { HealthSkeleton } from '../health/health-skeleton.tsx';
import { webhooksPath } from '../webhook-path.ts';

/** The page of a webhook while its data is loading. */
export function WebhookSkeleton() {
  return (
    <PageSkeleton
      crumb={{ href: webhooksPath, label: 'Webhooks' }}
      title="Webhook"
      sentence={[320, 260]}
    >
      <section>
        <h2 className="sr-only">Health</h2>
        <HealthSkeleton />
      </section>
      <BoxSkeleton title="Signing secret" widths={[160, 220]} />
      <ColumnsSkeleton>
        <LinesSkeleton title="Details" widths={[300, 120, 90, 170, 280]} />
        <LinesSkeleton title="Events" widths={[260, 220, 200]} />
      </ColumnsSkeleton>
    </PageSkeleton>
  );
}
