/** The value of the header `webhook-id`. @param event the event's uuid */
export function messageIdOf(event: string): string {
  return `msg_${event}`;
}
