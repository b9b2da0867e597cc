import { memberMay } from '#lib/contract/api-keys/ceiling.ts';
import { eventAccessOf } from '#lib/contract/events/events.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { Actor } from '../actor.ts';

/**
 * Whether the actor may read what an event of this type is about. What customers wrote, a key that
 * got as far as to ask may read: that is what `events:read` is for; of the members only some roles
 * may, and support where an owner lets them. What events say of keys and webhooks may be read by
 * whoever sees those.
 */
export function mayReadPayload(actor: Actor, type: EventType | TestEventType): boolean {
  const access = eventAccessOf(type);
  if (access === null) return mayReadCustomers(actor);
  return actor.kind === 'api_key'
    ? actor.scopes.includes(access.scope)
    : memberMay(actor, access.act);
}

/** Whether the actor may read what customers wrote. */
export function mayReadCustomers(actor: Actor): boolean {
  return actor.kind === 'api_key' || memberMay(actor, 'payloads.read');
}
