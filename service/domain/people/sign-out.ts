import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';

/** Ends the session with which the person calls; their other sessions stay. */
export async function signOut(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<void> {
  await ctx.auth.signOut(sessionToken);
  await ctx.db.transaction(async (tx) => {
    await recordAudit(tx, {
      actor,
      action: 'session.ended',
      at: ctx.clock.now(),
      target: { kind: 'person', id: actor.personId, name: actor.personName },
    });
  });
}
