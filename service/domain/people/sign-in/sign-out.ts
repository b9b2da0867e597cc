import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { findSession } from '../sessions/find-session.ts';
import { deleteSession } from '../store/sessions.ts';

/** Ends the session with which the person calls; their other sessions stay. */
export async function signOut(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  const session = await findSession(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    // One that ended meanwhile is no error.
    if (session) await deleteSession(tx, session);
    await recordAudit(tx, {
      actor,
      action: 'session.ended',
      at: ctx.clock.now(),
      target: { kind: 'person', id: actor.personId, name: actor.personName },
    });
  });
}
