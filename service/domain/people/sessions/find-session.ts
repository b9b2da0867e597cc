import type { Auth } from '../../../auth/auth.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { ServiceError } from '../../errors.ts';
import { findSessionByPreviousToken, lockSession } from '../store/sessions.ts';
import { digestSessionToken } from './renew-session.ts';

type AuthSession = NonNullable<Awaited<ReturnType<Auth['session']>>>;

/** `isReplaced`: the token was replaced a moment ago, so a call with it may only read. */
export type FoundSession = AuthSession & { isReplaced: boolean };

/**
 * The session of a token; null once it has ended. A token that `renewSession` replaced still finds
 * the session for a moment.
 */
export async function findSession(
  ctx: Pick<Context, 'auth' | 'db' | 'clock'>,
  sessionToken: string,
): Promise<FoundSession | null> {
  const session = await ctx.auth.session(sessionToken);
  if (session) return { ...session, isReplaced: false };
  const digest = digestSessionToken(sessionToken);
  const stored = await findSessionByPreviousToken(ctx.db, { digest, now: ctx.clock.now() });
  if (!stored) return null;
  const renewed = await ctx.auth.session((await ctx.auth.cookieOf(stored)).sessionToken);
  return renewed && { ...renewed, isReplaced: true };
}

/**
 * The id of the session with which a person calls.
 * @throws ServiceError UNAUTHORIZED if it has ended
 */
export async function currentSessionId(ctx: Context, sessionToken: string): Promise<string> {
  const session = await findSession(ctx, sessionToken);
  if (!session) throw new ServiceError('UNAUTHORIZED');
  return session.sessionId;
}

/**
 * Checks, in the transaction that writes, that a session has not ended: after somebody ended it, it
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
