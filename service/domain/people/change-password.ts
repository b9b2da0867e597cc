import type { z } from 'zod';
import type { changePasswordInput } from '#lib/contract/dashboard.ts';
import type { DeviceToken } from '../../auth/device-tokens.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import type { PersonActor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { ServiceError, invalid } from '../errors.ts';
import { checkPassword } from './check-password.ts';
import { currentSessionId } from './current-session-id.ts';
import { listMemberships, replacePassword, updateSession } from './store.ts';

/**
 * Gives a person the password they chose, and ends every session but the one they call with, which
 * counts as freshly proved. Each of their accounts' audit logs says so. Their devices are known no
 * longer, but for the one they call with, which gets a new token.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.current_password` or `details.new_password`;
 *   RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session ended meanwhile
 */
export async function changePassword(
  ctx: Context,
  actor: PersonActor,
  about: { input: z.output<typeof changePasswordInput>; sessionToken: string },
): Promise<{ endedSessions: number } & DeviceToken> {
  const { current_password: password, new_password: chosen } = about.input;
  const { personId, personName, origin } = actor;
  const sessionId = await currentSessionId(ctx, about.sessionToken);
  const checked = await checkPassword(ctx, actor, { password, field: 'current_password' });
  if (chosen === password) throw invalid('new_password', 'Choose another one than the current.');
  const passwordHash = await ctx.auth.hashPassword(chosen);

  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await checked.confirm(tx);
    const isOpen = await updateSession(tx, { personId, sessionId }, { provedAt: now });
    if (!isOpen) throw new ServiceError('UNAUTHORIZED');
    const { endedSessions } = await replacePassword(tx, {
      personId,
      passwordHash,
      now,
      keptSessionId: sessionId,
    });
    for (const { accountId } of await listMemberships(tx, personId)) {
      await recordAudit(tx, {
        accountId: mintAccountId(accountId),
        by: { kind: 'person', id: personId, name: personName },
        origin,
        action: 'person.password_changed',
        at: now,
        target: { kind: 'person', id: personId, name: personName },
        changes: { ended_sessions: endedSessions },
      });
    }
    const credential = { personId, passwordHash };
    return { endedSessions, ...ctx.deviceTokens.issue({ credential, device: null }) };
  });
}
