import { isNotNull } from 'drizzle-orm';
import type { Context } from '../../../context.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';

/**
 * Makes every leased lane due. Only where this process is the only one, at its start: whoever held
 * the leases is gone.
 */
export async function freeLeases({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db
    .update(lanes)
    .set({ owner: null, isDirty: false, wakeAt: clock.now() })
    .where(isNotNull(lanes.owner));
}
