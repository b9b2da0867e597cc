import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { rowsFrom } from '../../../db/statements/rows-from.ts';
import { selectTakenRows } from './select-taken-rows.ts';
import type { TakenRow } from './select-taken-rows.ts';

const askedColumns = {
  webhook_id: 'int',
  lease: 'bigint',
  after_due_at: 'timestamptz',
  after_event_id: 'bigint',
  room: 'int',
  bytes: 'int',
  held_ids: 'bigint[]',
};

/** Takes deliveries of lanes that this owner holds and that are not paused. */
export async function takeDueDeliveries(
  db: Db,
  {
    owner,
    now,
    lanes,
  }: {
    owner: string;
    now: Date;
    lanes: readonly {
      webhookId: number;
      lease: number;
      after: { dueAt: Date; eventId: number } | null;
      room: number;
      bytes: number;
      heldIds: readonly number[];
    }[];
  },
): Promise<TakenRow[]> {
  const asked = lanes.map(({ webhookId, lease, after, room, bytes, heldIds }) => ({
    webhook_id: webhookId,
    lease,
    after_due_at: after?.dueAt ?? '-infinity',
    after_event_id: after?.eventId ?? 0,
    room,
    bytes,
    held_ids: heldIds,
  }));
  const { rows } = await db.execute<TakenRow>(sql`
    with asked as materialized ${rowsFrom(asked, askedColumns)},
    held as materialized (
      select webhook_id, account_id, lease, failure_count, after_due_at, after_event_id, room,
        bytes, held_ids
      from asked join lanes using (webhook_id, lease)
      where lanes.webhook_id = any (array(select webhook_id from asked))
        and owner = ${owner}::uuid and not is_paused
    )
    ${selectTakenRows(now)}`);
  return rows;
}
