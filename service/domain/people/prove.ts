import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { ServiceError } from '../errors.ts';
import { checkPassword } from './check-password.ts';
import { currentSessionId } from './current-session-id.ts';
import { proofExpiresAt } from './proof-expires-at.ts';
import { updateSession } from './store.ts';

/**
 * Takes a signed-in person's password again, so that this session may do for a while what needs
 * fresh proof (OWASP ASVS 5.0, 7.5.3). Says until when.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.password`; RATE_LIMIT_EXCEEDED; UNAUTHORIZED
 *   if the session ended meanwhile
 */
export async function prove(
  ctx: Context,
  actor: PersonActor,
  input: { password: string; sessionToken: string },
): Promise<{ proofExpiresAt: Date }> {
  const sessionId = await currentSessionId(ctx, input.sessionToken);
  const checked = await checkPassword(ctx, actor, { password: input.password, field: 'password' });
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await checked.confirm(tx);
    const session = { personId: actor.personId, sessionId };
    const isOpen = await updateSession(tx, session, { provedAt: now });
    if (!isOpen) throw new ServiceError('UNAUTHORIZED');
    await recordAudit(tx, {
      actor,
      action: 'session.proved',
      at: now,
      target: { kind: 'person', id: actor.personId, name: actor.personName },
    });
  });
  return { proofExpiresAt: proofExpiresAt(ctx, now) };
}
