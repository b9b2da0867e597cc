import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { findCredentialByEmail } from '../store/people.ts';
import { openSession } from './open-session.ts';
import type { NewSession } from './open-session.ts';

/**
 * Signs somebody in who just chose their password by a link, and has no second factor; null if the
 * password was replaced since.
 */
export async function openFirstSession(
  ctx: Context,
  { email, origin }: { email: string; origin: Origin },
): Promise<NewSession | null> {
  const credential = await findCredentialByEmail(ctx.db, email);
  return credential && (await openSession(ctx, { credential, factor: null, origin, device: null }));
}
