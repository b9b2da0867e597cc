import { deliveriesHeadingId } from '../webhook-path.ts';

/** The element ID of the button that opens a delivery, so that the focus can return to it. */
export function deliveryOpenerId(uuid: string): string {
  return `delivery-${uuid}`;
}

/** The button that opens a delivery; if it is no longer in the table, the table's heading. */
export function findDeliveryOpener(uuid: string | null): HTMLElement | null {
  return (
    document.getElementById(deliveryOpenerId(uuid ?? '')) ??
    document.getElementById(deliveriesHeadingId)
  );
}
