import type { Context } from '../../context.ts';
import { deleteExpiredEmailChanges } from './store/email-changes.ts';
import { deleteExpiredPendingSignIns } from './store/pending-sign-ins.ts';
import { deleteExpiredPasswordResets } from './store/password-resets.ts';

/** Removes links, pending sign-ins and challenges that can no longer be used. */
export async function forgetExpiredLinks({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await deleteExpiredPasswordResets(db, now);
  await deleteExpiredEmailChanges(db, now);
  await deleteExpiredPendingSignIns(db, now);
}
