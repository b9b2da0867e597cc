import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { findPerson } from './find-person.ts';
import type { SessionInAccount } from './find-person.ts';

/** The same as `findPerson`, for callers that need only the actor; null if there is none. */
export async function findPersonActor(
  ctx: Context,
  session: SessionInAccount,
): Promise<PersonActor | null> {
  const found = await findPerson(ctx, session);
  return found?.kind === 'actor' ? found.actor : null;
}
