import type { Context } from '../../context.ts';
import type { Origin } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { findPersonActor } from './find-person-actor.ts';
import { findPasswordHashByEmail, lockPasswordHash } from './store.ts';

/** What a browser needs to keep to stay signed in. */
export type NewSession = { sessionToken: string; maxAgeSeconds: number };

/**
 * Opens a session for whoever gives the right password; null if it is not right, or is replaced
 * while it is checked: whoever replaces a password ends the sessions there are, and must not miss
 * the one that is just being opened with the old.
 *
 * @throws ServiceError VALIDATION_ERROR if the person belongs to no account
 */
export async function openSession(
  ctx: Context,
  { email, password, origin }: { email: string; password: string; origin: Origin },
): Promise<NewSession | null> {
  const { ip, userAgent } = origin;
  const hash = await findPasswordHashByEmail(ctx.db, email);
  const session = await ctx.auth.signIn({ email, password, ip, userAgent });
  if (!session) return null;
  const actor = await findPersonActor(ctx, { sessionToken: session.sessionToken, origin });
  if (!actor) {
    await ctx.auth.signOut(session.sessionToken);
    throw invalid('email', 'You no longer belong to an account. Ask its owner to add you again.');
  }
  const isStillRight = await ctx.db.transaction(async (tx) => {
    if ((await lockPasswordHash(tx, actor.personId)) !== hash) return false;
    await recordAudit(tx, {
      actor,
      action: 'session.created',
      at: ctx.clock.now(),
      target: { kind: 'person', id: actor.personId, name: actor.personName },
    });
    return true;
  });
  if (isStillRight) return session;
  await ctx.auth.signOut(session.sessionToken);
  return null;
}
