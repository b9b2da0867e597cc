import { randomUUID } from 'node:crypto';
import type { NewEvent } from '#lib/contract/events.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { insertEvent } from './store.ts';

/**
 * Writes an event to the outbox, in the transaction in which it happened: what is rolled back was
 * never announced, and what is committed cannot go unannounced. The payload is made here, once, and
 * is what every delivery signs and sends.
 */
export async function publishEvent(
  tx: Tx,
  about: { accountId: AccountId; now: Date; event: NewEvent },
): Promise<void> {
  const { accountId, now, event } = about;
  await insertEvent(tx, {
    accountId,
    uuid: randomUUID(),
    type: event.type,
    conversationId: event.data.conversation.id,
    payload: JSON.stringify({
      type: event.type,
      timestamp: formatApiTime(now),
      data: event.data,
    }),
    createdAt: now,
  });
}
