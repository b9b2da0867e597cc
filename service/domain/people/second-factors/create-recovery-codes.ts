import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { confirmSession } from '../sessions/confirm-session.ts';
import { currentSessionId } from '../sessions/current-session-id.ts';
import { lockFactors } from '../store/second-factors.ts';
import { hasFactor } from './has-factor.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';
import { mailFactorChange } from './mail-factor-change.ts';

/**
 * Gives the person new recovery codes, which replace all earlier ones.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.recovery_codes` if they have no second factor;
 *   UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function createRecoveryCodes(
  ctx: Context,
  actor: PersonActor,
  sessionToken: string,
): Promise<string[]> {
  const { personId, personName, email, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  const codes = await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const now = ctx.clock.now();
    if (!(await hasFactor(tx, personId))) {
      throw invalid('recovery_codes', 'Add a passkey or an authenticator app first.');
    }
    await recordInAccounts(tx, {
      person: { id: personId, name: personName },
      origin,
      action: 'person.recovery_codes_created',
      now,
    });
    return await giveRecoveryCodes(tx, personId, now);
  });
  mailFactorChange(ctx, {
    email,
    subject: 'New recovery codes were created',
    what: 'The recovery codes you had no longer work.',
  });
  return codes;
}
