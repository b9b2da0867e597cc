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
  {
    email,
    earlierSession,
    origin,
  }: { email: string; earlierSession?: string | undefined; origin: Origin },
): Promise<NewSession | null> {
  const credential = await findCredentialByEmail(ctx.db, email);
  const proved = { factor: null, origin, device: null, earlierSession };
  return credential && (await openSession(ctx, { credential, ...proved }));
}
