import { webhookPath } from '../webhook-path.ts';
import type { DeliveryView } from './delivery-view.ts';

/** Some deliveries of a webhook: those of a status, made in a window of time. */
export type LinkedDeliveries = Pick<DeliveryView, 'status' | 'from' | 'to'>;

/** The path of the table that shows these deliveries. @param reference the webhook's uuid or id */
export function linkedDeliveriesPath(
  reference: string,
  { status, from, to }: LinkedDeliveries,
): string {
  const search = new URLSearchParams({
    ...(status !== 'any' && { status }),
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
  });
  return `${webhookPath({ uuid: reference }, 'deliveries')}?${search.toString()}`;
}
