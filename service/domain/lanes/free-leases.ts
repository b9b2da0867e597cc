import type { Context } from '../../context.ts';
import { freeAllLeases } from './store.ts';

/**
 * Makes every leased lane due. Only where this process is the only one, at its start: whoever held
 * the leases is gone.
 */
export async function freeLeases({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await freeAllLeases(db, clock.now());
}
