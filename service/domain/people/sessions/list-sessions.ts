import type { SignedInSession } from '#lib/contract/people/sessions.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { readAccount } from '../store/accounts.ts';
import { currentSessionId } from './current-session-id.ts';
import { endInAccount } from './session-end.ts';

/**
 * A person's sessions, most recently used first, without their tokens. The end of each session is
 * the one for the account they act in: another account may allow more or less time.
 * @throws ServiceError UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function listSessions(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<SignedInSession[]> {
  const current = await currentSessionId(ctx, sessionToken);
  const account = await readAccount(ctx.db, actor.accountId);
  const open = await ctx.auth.listSessions(actor.personId);
  return open.map((session) => ({
    id: session.sessionId,
    is_current: session.sessionId === current,
    ip: session.ip,
    user_agent: session.userAgent,
    created_at: formatApiTime(session.createdAt),
    last_used_at: formatApiTime(session.lastUsedAt),
    expires_at: formatApiTime(endInAccount(session, account)),
  }));
}
