import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { confirmSession } from './confirm-session.ts';
import { currentSessionId } from './current-session-id.ts';
import { lockPerson } from '../store/people.ts';
import { deleteSessions } from '../store/sessions.ts';

/**
 * Ends all sessions of a person except the one of the call; returns how many.
 *
 * @throws ServiceError UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function endOtherSessions(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<{ ended: number }> {
  const sessionId = await currentSessionId(ctx, sessionToken);
  return await ctx.db.transaction(async (tx) => {
    const { personId, personName } = actor;
    // First, so that two sessions that end each other wait instead of causing a deadlock.
    await lockPerson(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const ended = await deleteSessions(tx, { personId, exceptId: sessionId });
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
