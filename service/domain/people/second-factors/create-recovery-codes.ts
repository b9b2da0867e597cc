import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { lockFactors } from '../store/second-factors.ts';
import { hasFactor } from './has-factor.ts';
import { giveRecoveryCodes } from './recovery-codes.ts';
import { mailFactorChange } from './mail-factor-change.ts';

/**
 * Gives the person new recovery codes, which replace all earlier ones.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.recovery_codes` if they have no second factor
 */
export async function createRecoveryCodes(ctx: Context, actor: PersonActor): Promise<string[]> {
  const { personId, personName, email, origin } = actor;
  const codes = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await lockFactors(tx, personId);
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
