/** The id of the control that opens a delivery, for the focus to come back to. */
export function deliveryOpenerId(uuid: string): string {
  return `delivery-${uuid}`;
}

/** The opener; if it has left the table, the table's heading. */
export function findDeliveryOpener(uuid: string | null): HTMLElement | null {
  return (
    document.getElementById(deliveryOpenerId(uuid ?? '')) ??
    document.querySelector<HTMLElement>('#deliveries h2')
  );
}
