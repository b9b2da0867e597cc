import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { ServiceError } from '../../errors.ts';
import { lockSession } from '../store/sessions.ts';

/** The session with which a person calls. @throws ServiceError UNAUTHORIZED if it has ended */
export async function currentSessionId(ctx: Context, sessionToken: string): Promise<string> {
  const session = await ctx.auth.session(sessionToken);
  if (!session) throw new ServiceError('UNAUTHORIZED');
  return session.sessionId;
}

/**
 * Checks, in the transaction that writes, that a session has not ended: after someone ended it, it
 * must not change anything about the person.
 *
 * @throws ServiceError UNAUTHORIZED
 */
export async function confirmSession(
  tx: Tx,
  session: { personId: string; sessionId: string },
): Promise<void> {
  if (!(await lockSession(tx, session))) throw new ServiceError('UNAUTHORIZED');
}
