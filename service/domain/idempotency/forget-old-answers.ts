import type { Context } from '../../context.ts';
import { knownMs } from './claim-request.ts';
import { deleteAnswersBefore } from './store.ts';

/** Removes what was kept of requests that are no longer known. */
export async function forgetOldAnswers({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteAnswersBefore(db, new Date(clock.now().getTime() - knownMs));
}
