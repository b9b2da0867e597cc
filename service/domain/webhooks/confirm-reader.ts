import { eventAccessOf } from '#lib/contract/events/events.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { Clock } from '../../clock.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-caller.ts';

/**
 * Prevents actors from having a webhook send them events that they may not read: a key that manages
 * webhooks but may not see keys cannot subscribe a webhook to events about keys, and cannot change
 * the URL of a webhook that is subscribed to them.
 *
 * @param options.events the event types that a receiver will get and did not get before
 * @throws ServiceError FORBIDDEN
 */
export async function confirmReader(
  tx: Tx,
  actor: Actor,
  { events, clock }: { events: readonly (EventType | TestEventType)[]; clock: Clock },
): Promise<void> {
  for (const type of events) {
    const access = eventAccessOf(type);
    if (access === null) continue;
    const refusal = `This API key needs the scope ${access.scope} to have ${type} sent to a URL.`;
    await confirmCaller(tx, actor, { ...access, clock, refusal });
  }
}
