import type { Tx } from '../../db/open.ts';
import { events } from '../../db/schema.ts';

export async function insertEvent(tx: Tx, row: typeof events.$inferInsert): Promise<void> {
  await tx.insert(events).values(row);
}
