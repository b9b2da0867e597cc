import type { SessionCookie } from '../../../auth/auth.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { checkPassword } from './check-password.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { proofExpiresAt } from '../sessions/proof-expires-at.ts';
import { renewSession } from '../sessions/renew-session.ts';

/**
 * Takes a signed-in person's password again, so that this session may do for a while what needs
 * fresh proof (OWASP ASVS 5.0, 7.5.3). Says until when, and gives the session's new token, as
 * `renewSession` says.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.password`; RATE_LIMIT_EXCEEDED; UNAUTHORIZED
 *   if the session ended meanwhile
 */
export async function confirmPassword(
  ctx: Context,
  actor: PersonActor,
  input: { password: string; sessionToken: string },
): Promise<{ proofExpiresAt: Date } & SessionCookie> {
  const sessionId = await currentSessionId(ctx, input.sessionToken);
  const checked = await checkPassword(ctx, actor, { password: input.password, field: 'password' });
  const now = ctx.clock.now();
  const renewed = await ctx.db.transaction(async (tx) => {
    await checked.confirm(tx);
    const { personId } = actor;
    const { sessionToken } = input;
    const session = await renewSession(ctx, tx, { personId, sessionId, sessionToken, now });
    await recordAudit(tx, {
      actor,
      action: 'session.proved',
      at: now,
      target: { kind: 'person', id: actor.personId, name: actor.personName },
    });
    return session;
  });
  return { proofExpiresAt: proofExpiresAt(ctx, now), ...renewed };
}
