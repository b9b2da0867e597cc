import { isNotNull } from 'drizzle-orm';
import type { Context } from '../../../context.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';

/** Makes every leased lane due. Only at the start of the only process: no holder is left. */
export async function freeAllLeases({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db
    .update(lanes)
    .set({ owner: null, isDirty: false, wakeAt: clock.now() })
    .where(isNotNull(lanes.owner));
}
