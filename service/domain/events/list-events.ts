import type { z } from 'zod';
import type {
  listEvents as contract,
  RecordedEvent,
} from '#lib/contract/events/recorded-events.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { readPage, windowOf } from '../read-page.ts';
import { describeEvent } from './describe-event.ts';
import { mayReadPayload } from './may-read-payload.ts';
import { listEventRows } from './store.ts';

/**
 * A page of the account's events, newest first, or the events since the client last read them.
 * @throws ServiceError VALIDATION_ERROR on a cursor that this list did not return
 */
export async function listEvents(
  ctx: Context,
  actor: Actor,
  query: z.output<typeof contract.query>,
): Promise<{ events: RecordedEvent[]; nextCursor: string | null; followCursor?: string }> {
  const { rows, ...cursors } = await readPage(ctx.db, { ...query, list: 'events' }, (at, limit) => {
    const filter = { type: query.type, ...windowOf(query) };
    const read = () => listEventRows(ctx.db, actor.accountId, { ...filter, at, limit });
    // No index has the type: a page of a rare one may read all events of the account.
    return query.type === undefined ? read() : ctx.heavyReads.run(actor.accountId, read);
  });
  const events = rows.map((row) =>
    describeEvent(row, { withData: mayReadPayload(actor, row.type) }),
  );
  return { events, ...cursors };
}
