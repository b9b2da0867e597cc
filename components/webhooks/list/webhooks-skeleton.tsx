import { WebhookTableSkeleton } from './webhook-table.tsx';
import { WebhooksHeading } from './webhooks-heading.tsx';

/** The page while it is fetched: what is known already, and rows in their final shape. */
export function WebhooksSkeleton() {
  return (
    <>
      <WebhooksHeading hasCreate={false} />
      <div className="mb-3 h-control max-sm:h-24" />
      <WebhookTableSkeleton />
    </>
  );
}
