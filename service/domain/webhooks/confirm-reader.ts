import { eventAccessOf } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-caller.ts';

/**
 * Makes sure that nobody has a webhook send them what they may not read: a key that manages webhooks
 * and does not see keys subscribes no webhook to the events about keys, and does not move the URL of
 * one that is subscribed to them.
 *
 * @param about.events what a receiver will be sent that it was not sent before
 * @throws ServiceError FORBIDDEN
 */
export async function confirmReader(
  tx: Tx,
  actor: Actor,
  { events, now }: { events: readonly EventType[]; now: Date },
): Promise<void> {
  for (const type of events) {
    const access = eventAccessOf(type);
    if (access === null) continue;
    const refusal = `This API key needs the scope ${access.scope} to have ${type} sent to a URL.`;
    await confirmCaller(tx, actor, { ...access, now, refusal });
  }
}
