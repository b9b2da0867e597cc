import type { Context } from '../../context.ts';
import { deleteExpiredPasswordResets } from './store/password-resets.ts';

/** Removes links that can no longer be used. */
export async function forgetExpiredLinks({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteExpiredPasswordResets(db, clock.now());
}
