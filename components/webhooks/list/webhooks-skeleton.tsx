import { WebhookTableSkeleton } from './webhook-table.tsx';
import { WebhooksHeading } from './webhooks-heading.tsx';

/** The page while its data is loading: the heading, and skeleton rows. */
export function WebhooksSkeleton() {
  return (
    <>
      <WebhooksHeading hasCreate={false} />
      <div className="mb-3 h-control max-sm:h-24" />
      <WebhookTableSkeleton />
    </>
  );
}
