import { ControlSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { WebhookTableSkeleton } from './webhook-table.tsx';
import { WebhooksHeading } from './webhooks-heading.tsx';

/** The page while its data is loading: the heading, and skeleton rows. */
export function WebhooksSkeleton() {
  return (
    <>
      <WebhooksHeading actions={<ControlSkeleton width={140} />} />
      <div className="mb-3">
        <ControlSkeleton />
      </div>
      <WebhookTableSkeleton />
    </>
  );
}
