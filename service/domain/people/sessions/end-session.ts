import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid, notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { confirmSession } from './confirm-session.ts';
import { currentSessionId } from './current-session-id.ts';
import { lockPerson } from '../store/people.ts';
import { deleteSession } from '../store/sessions.ts';

/**
 * Ends another session of the person.
 *
 * @throws ServiceError NOT_FOUND for a session that does not exist or is somebody else's;
 *   VALIDATION_ERROR with `details.session` for the session of the call; UNAUTHORIZED if that
 *   ended in the meantime
 */
export async function endSession(
  ctx: Context,
  actor: PersonActor,
  input: { session: string; sessionToken: string },
): Promise<void> {
  const sessionId = parseUuid(input.session);
  const ownId = await currentSessionId(ctx, input.sessionToken);
  if (sessionId === ownId) {
    throw invalid('session', 'This is the session you are using. Sign out instead.');
  }
  await ctx.db.transaction(async (tx) => {
    const { personId, personName } = actor;
    // First, so that two sessions that end each other wait instead of causing a deadlock.
    await lockPerson(tx, personId);
    await confirmSession(tx, { personId, sessionId: ownId });
    const ended = await deleteSession(tx, { personId, sessionId });
    if (!ended) throw notFound();
    await recordAudit(tx, {
      actor,
      action: 'session.ended',
      at: ctx.clock.now(),
      target: { kind: 'person', id: personId, name: personName },
      changes: { ended_ip: ended.ip, ended_user_agent: ended.userAgent },
    });
  });
}
