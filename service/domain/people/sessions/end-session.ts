import type { Context } from '../../../context.ts';
import type { PersonActor, SignedInPerson } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid, notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { lockPerson } from '../store/people.ts';
import { deleteSession, deleteSessions } from '../store/sessions.ts';
import { confirmSession, currentSessionId } from './find-session.ts';

/**
 * Ends another session of the person.
 *
 * @throws ServiceError NOT_FOUND for a session that does not exist or is someone else's;
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

/** Ends the session of the call; the person's other sessions stay. */
export async function signOut(
  ctx: Context,
  person: SignedInPerson,
  sessionToken: string,
): Promise<void> {
  const { accountId, origin } = person;
  const session = await ctx.auth.session(sessionToken);
  await ctx.db.transaction(async (tx) => {
    // If the session ended in the meantime, that is no error.
    if (session) await deleteSession(tx, session);
    if (accountId === null) return;
    const by = { kind: 'person', id: person.personId, name: person.personName } as const;
    await recordAudit(tx, {
      accountId,
      by,
      origin,
      action: 'session.ended',
      at: ctx.clock.now(),
      target: by,
    });
  });
}
