import type { Context } from '../../context.ts';
import { keptMs } from './answer-once.ts';
import { deleteAnswersBefore } from './store.ts';

/** Removes the answers that `answerOnce` would no longer give again. */
export async function forgetOldAnswers({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteAnswersBefore(db, new Date(clock.now().getTime() - keptMs));
}
