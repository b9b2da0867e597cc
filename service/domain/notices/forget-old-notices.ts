import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { deleteNoticesBefore } from './store.ts';

/** How long sent notices are remembered: longer than any occasion can recur. */
const noticesKeptMs = 400 * dayMs;

/** Removes the records of emails that were sent long ago. */
export async function forgetOldNotices({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteNoticesBefore(db, new Date(clock.now().getTime() - noticesKeptMs));
}
