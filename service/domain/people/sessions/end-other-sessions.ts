import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { currentSessionId } from './current-session-id.ts';
import { deleteSessions } from '../store/sessions.ts';

/** Ends all sessions of a person except the one of the call; returns how many. */
export async function endOtherSessions(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<{ ended: number }> {
  const kept = await currentSessionId(ctx, sessionToken);
  return await ctx.db.transaction(async (tx) => {
    const { personId, personName } = actor;
    const ended = await deleteSessions(tx, { personId, exceptId: kept });
    if (ended > 0) {
      await recordAudit(tx, {
        actor,
        action: 'session.others_ended',
        at: ctx.clock.now(),
        target: { kind: 'person', id: personId, name: personName },
        changes: { ended_sessions: ended },
      });
    }
    return { ended };
  });
}
