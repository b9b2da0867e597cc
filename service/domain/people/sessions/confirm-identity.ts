import type { z } from 'zod';
import type { confirmIdentityInput } from '#lib/contract/people/sessions.ts';
import type { SessionCookie } from '../../../auth/auth.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid } from '../../errors.ts';
import { checkPassword } from '../passwords/check-password.ts';
import type { CheckedPassword } from '../passwords/check-password.ts';
import { mailRecoveryCodeUse } from '../second-factors/mail-factor-change.ts';
import { hasFactor } from '../second-factors/required-factor.ts';
import { missingFactorError, consumeFactor } from '../second-factors/consume-factor.ts';
import { confirmSession, currentSessionId } from './find-session.ts';
import { countWrongProofs } from './count-wrong-proofs.ts';
import { proofExpiresAt } from './session-end.ts';
import { renewSession } from './renew-session.ts';

/**
 * Checks again who a signed-in person is, so that this session may perform acts that need a fresh
 * proof for a while (OWASP ASVS 5.0, 7.5.3). The proof is the password, and a second factor if they
 * have one. A passkey is enough by itself, because it asks for a fingerprint, face or PIN. Returns
 * until when the proof counts, and the session's new token (see `renewSession`).
 *
 * @throws ServiceError VALIDATION_ERROR with `details.password`, or those of `consumeFactor`;
 *   RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session ended in the meantime
 */
export async function confirmIdentity(
  ctx: Context,
  actor: PersonActor,
  { input, sessionToken }: { input: z.output<typeof confirmIdentityInput>; sessionToken: string },
): Promise<{ proofExpiresAt: Date } & SessionCookie> {
  const { personId, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  const { password, ...given } = input;
  const needsFactor = await hasFactor(ctx.db, personId);
  const { checked, factor } = await countWrongProofs(
    ctx,
    { actor, sessionId },
    async (onWrong) => ({
      checked:
        given.passkey !== undefined && needsFactor
          ? null
          : await checkGiven(ctx, actor, { password, onWrong }),
      factor: needsFactor
        ? await consumeFactor(ctx, {
            personId,
            given,
            limitKey: `${personId} proof`,
            purpose: `prove:${sessionId}`,
            onWrong,
          })
        : null,
    }),
  );
  const renewed = await ctx.db.transaction(async (tx) => {
    await checked?.confirm(tx);
    // A second factor that was added since the check above.
    if (factor === null && (await hasFactor(tx, personId))) throw missingFactorError();
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    const session = await renewSession(ctx, tx, {
      personId,
      sessionId,
      sessionToken,
      provedAt: now,
      now,
    });
    await recordAudit(tx, {
      actor,
      action: 'session.proved',
      at: now,
      target: { kind: 'person', id: personId, name: actor.personName },
      ...(factor !== null && { changes: { second_factor: factor } }),
    });
    return { proofExpiresAt: proofExpiresAt(ctx, now), ...session };
  });
  if (factor === 'recovery_code') await mailRecoveryCodeUse(ctx, { personId, origin });
  return renewed;
}

async function checkGiven(
  ctx: Context,
  actor: PersonActor,
  { password, onWrong }: { password: string | undefined; onWrong: () => Promise<void> },
): Promise<CheckedPassword> {
  if (password === undefined) throw invalid('password', 'Enter your password.');
  return await checkPassword(ctx, actor, { password, field: 'password', onWrong });
}
