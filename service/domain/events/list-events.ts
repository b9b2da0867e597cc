import type { z } from 'zod';
import type {
  listEvents as contract,
  RecordedEvent,
} from '#lib/contract/events/recorded-events.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { pageOf } from '../page-of.ts';
import { describeEvent } from './describe-event.ts';
import { mayReadPayload } from './may-read-payload.ts';
import { listEventRows } from './store.ts';

/**
 * A page of the account's events, newest first.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listEvents(
  ctx: Context,
  actor: Actor,
  { cursor, limit }: z.output<typeof contract.query>,
): Promise<{ events: RecordedEvent[]; nextCursor: string | null }> {
  const before = readCursor('events', cursor);
  const found = await listEventRows(ctx.db, actor.accountId, { before, limit: limit + 1 });
  const { rows, nextCursor } = pageOf(found, limit, ({ id }) => writeCursor('events', id));
  const events = rows.map((row) =>
    describeEvent(row, { withData: mayReadPayload(actor, row.type) }),
  );
  return { events, nextCursor };
}
