import type { z } from 'zod';
import type { changePasswordInput } from '#lib/contract/people/sessions.ts';
import type { SessionCookie } from '../../../auth/auth.ts';
import { findPasswordWeakness } from '../../../auth/password-weakness.ts';
import type { DeviceToken } from '../../../auth/device-tokens.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { PersonActor } from '../../actor.ts';
import { mailPasswordChange, personalWordsOf } from './set-password.ts';
import { ServiceError, invalid } from '../../errors.ts';
import { hasFactor } from '../second-factors/required-factor.ts';
import { matchPassword, wrongPassword } from './check-password.ts';
import { countWrongProofs } from '../sessions/count-wrong-proofs.ts';
import { currentSessionId } from '../sessions/find-session.ts';
import { renewSession } from '../sessions/renew-session.ts';
import { proofExpiresAt } from '../sessions/session-end.ts';
import { lockSession } from '../store/sessions.ts';
import { replacePassword } from '../store/people.ts';
import { recordInAccounts } from '../record-in-accounts.ts';

/**
 * Replaces the password of the actor, and ends all their other sessions. The session of the call
 * gets a new token (see `renewSession`); without a second factor it counts as freshly proved. All
 * their devices become unknown except the one of the call, which gets a new device token. The audit
 * log of each of their accounts records the change, and they get an email.
 *
 * A person with a second factor also needs a fresh proof, which includes that factor.
 *
 * @throws ServiceError PROOF_REQUIRED; VALIDATION_ERROR with `details.current_password` or
 *   `details.new_password`; RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session ended in the meantime
 */
export async function changePassword(
  ctx: Context,
  actor: PersonActor,
  { input, sessionToken }: { input: z.output<typeof changePasswordInput>; sessionToken: string },
): Promise<{ endedSessions: number } & SessionCookie & DeviceToken> {
  const { current_password: password, new_password: chosen } = input;
  const { personId, personName, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  await refuseOldProof(ctx, ctx.db, actor);
  const checked = await countWrongProofs(ctx, { actor, sessionId }, (onWrong) =>
    matchPassword(ctx, actor, { password, field: 'current_password', onWrong }),
  );
  if (checked !== null && chosen === password) {
    throw invalid('new_password', 'Choose a different password.');
  }
  const own = await personalWordsOf(ctx.db, { id: personId, email: actor.email, name: personName });
  const weakness = await findPasswordWeakness(chosen, own);
  if (checked === null || weakness !== null) {
    throw new ServiceError('VALIDATION_ERROR', {
      details: {
        ...(checked === null && { current_password: [wrongPassword] }),
        ...(weakness !== null && { new_password: [weakness] }),
      },
    });
  }
  const passwordHash = await ctx.auth.hashPassword(chosen);

  const changed = await ctx.db.transaction(async (tx) => {
    await checked.confirm(tx);
    // Checked again: a second factor may have been added since, which ends a proof that was given
    // without it.
    const session = await lockSession(tx, { personId, sessionId });
    const needsFactor = await refuseOldProof(ctx, tx, { ...actor, ...session });
    const now = ctx.clock.now();
    const provedAt = needsFactor ? null : now;
    const renewed = await renewSession(ctx, tx, {
      personId,
      sessionId,
      sessionToken,
      provedAt,
      now,
    });
    const { endedSessions } = await replacePassword(tx, {
      personId,
      passwordHash,
      keptSessionId: sessionId,
    });
    await recordInAccounts(tx, {
      person: { id: personId, name: personName },
      origin,
      action: 'person.password_changed',
      now,
      changes: { ended_sessions: endedSessions },
    });
    const credential = { personId, passwordHash };
    const device = ctx.deviceTokens.issue({ credential, device: null });
    return { now, session: { endedSessions, ...renewed, ...device } };
  });
  mailPasswordChange(ctx, { email: actor.email, origin, now: changed.now });
  return changed.session;
}

/** Whether they have a second factor. @throws ServiceError PROOF_REQUIRED if the proof is old */
async function refuseOldProof(
  ctx: Context,
  db: Db | Tx,
  { personId, provedAt }: Pick<PersonActor, 'personId' | 'provedAt'>,
): Promise<boolean> {
  if (!(await hasFactor(db, personId))) return false;
  if (proofExpiresAt(ctx, provedAt) <= ctx.clock.now()) throw new ServiceError('PROOF_REQUIRED');
  return true;
}
