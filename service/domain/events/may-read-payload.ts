import { memberMay } from '#lib/contract/rights/member-rights.ts';
import { eventAccessOf } from '#lib/contract/events/events.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import type { Actor } from '../actor.ts';

/**
 * Whether the actor may read the payload of an event of this type.
 *
 * - Customer messages: every key that may call the route, because `events:read` grants that. For
 *   members it depends on the role and, for support, on the support access of the account.
 * - Keys and webhooks: every actor that may see keys or webhooks themselves.
 */
export function mayReadPayload(actor: Actor, type: EventType | TestEventType): boolean {
  const access = eventAccessOf(type);
  if (access === null) return mayReadCustomers(actor);
  return actor.kind === 'api_key'
    ? actor.scopes.includes(access.scope)
    : memberMay(actor, access.act);
}

function mayReadCustomers(actor: Actor): boolean {
  return actor.kind === 'api_key' || memberMay(actor, 'payloads.read');
}

/**
 * Whether the actor may read what a receiver wrote in its response to an event of this type: keys
 * that may read the payload, and members by their role and the support access of the account. It
 * can say anything about customers or the receiver, no matter what the event is about.
 */
export function mayReadErrorText(actor: Actor, type: EventType | TestEventType): boolean {
  return actor.kind === 'api_key'
    ? mayReadPayload(actor, type)
    : memberMay(actor, 'error-texts.read');
}
