import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { findCredentialByEmail } from '../store/people.ts';
import { openSession } from './open-session.ts';
import type { NewSession } from './open-session.ts';

/**
 * Signs in a person who just chose their password with a link. Null if they have a second factor,
 * or if the password was replaced since.
 */
export async function openFirstSession(
  ctx: Context,
  { email, origin }: { email: string; origin: Origin },
): Promise<NewSession | null> {
  const credential = await findCredentialByEmail(ctx.db, email);
  return credential && (await openSession(ctx, { credential, factor: null, origin, device: null }));
}
