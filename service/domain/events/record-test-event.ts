import { randomUUID } from 'node:crypto';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { testEventType } from '#lib/contract/events/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import type { Traced } from '../../tracing/tracing.ts';
import type { AccountId } from '../account-id.ts';
import type { Origin } from '../actor.ts';
import { invalid } from '../errors.ts';
import { beginEventSpan } from './begin-event-span.ts';
import { insertEvent } from './store.ts';
import type { EventRow } from './store.ts';

/** Standard Webhooks, "Payload size": the largest payload that every receiver should accept. */
const largestPayloadBytes = 65_536;

/**
 * Records an event that did not really happen, and whose payload says so. Its row has the type
 * `webhook.test`, no matter what type its payload names: no webhook subscribes to it, no replay
 * includes it, and its failures do not count.
 *
 * @throws ServiceError VALIDATION_ERROR on `data` if the payload is larger than 64 KiB
 */
export async function recordTestEvent(
  ctx: Traced,
  tx: Tx,
  {
    accountId,
    origin,
    now,
    sentAs,
    data,
  }: {
    accountId: AccountId;
    origin: Origin;
    now: Date;
    sentAs: EventType | TestEventType;
    data: Record<string, unknown>;
  },
): Promise<EventRow> {
  const payload = JSON.stringify({
    type: sentAs,
    timestamp: formatApiTime(now),
    test: true,
    data,
  });
  if (Buffer.byteLength(payload) > largestPayloadBytes) {
    throw invalid('data', 'The body would be larger than 64 KiB.');
  }
  const uuid = randomUUID();
  const span = beginEventSpan(ctx, { accountId, uuid, type: testEventType, origin });
  const event = await insertEvent(tx, {
    accountId,
    uuid,
    type: testEventType,
    payload,
    traceParent: span?.traceParent,
    createdAt: now,
  });
  span?.end();
  return event;
}
