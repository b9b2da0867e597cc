import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import { testEventType, type EventType, type TestEventType } from '#lib/contract/events/events.ts';
import type { OpenSpan, Traced } from '../../tracing/tracing.ts';
import type { AccountId } from '../account-id.ts';
import type { Origin } from '../actor.ts';

/**
 * Begins the span of an event that is about to be written; null if no traces are recorded. The
 * event stores its `traceParent`, so that attempts to deliver it become its children: minutes
 * later, and in another process. End it once the event is written.
 *
 * @param event.origin the request in which the event happens; null if it is none
 */
export function beginEventSpan(
  { tracing }: Traced,
  event: {
    accountId: AccountId;
    uuid: string;
    type: EventType | TestEventType;
    origin: Origin | null;
  },
): OpenSpan | null {
  if (tracing === null) return null;
  const { accountId, uuid, type, origin } = event;
  return tracing.begin({
    name: `publish ${type}`,
    kind: 'producer',
    parent: origin?.traceParent ?? null,
    attributes: {
      'messaging.system': 'conversation_service',
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'create',
      'messaging.destination.name': type,
      'messaging.message.id': messageIdOf(uuid, { isTest: type === testEventType }),
      'conversation_service.account.id': accountId,
    },
  });
}
