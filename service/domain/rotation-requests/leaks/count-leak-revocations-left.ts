import type { Db, Tx } from '../../../db/open.ts';
import { maxLeakRevocations, revocationPeriodMs } from '../rules.ts';
import { listLeakRevocationsOf } from '../store/leaks.ts';

/** How many more keys a person may revoke at `now` because they reported a leak. */
export async function countLeakRevocationsLeft(
  db: Db | Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<number> {
  const since = new Date(now.getTime() - revocationPeriodMs);
  const earlier = await listLeakRevocationsOf(db, { personId, since });
  return Math.max(0, maxLeakRevocations - earlier.length);
}
