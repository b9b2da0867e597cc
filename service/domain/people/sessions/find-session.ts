import type { Auth } from '../../../auth/auth.ts';
import type { Context } from '../../../context.ts';
import { digestSessionToken } from './renew-session.ts';
import { findSessionByPreviousToken } from '../store/sessions.ts';

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
