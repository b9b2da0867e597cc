import { countOf } from '#lib/count.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { findPersonById } from '../store/people.ts';
import { countFactors } from '../store/second-factors.ts';

/** Emails a person what changed about their second factors. Call it after the commit. */
export function mailFactorChange(
  { mail, config }: Pick<Context, 'mail' | 'config'>,
  { email, subject, what }: { email: string; subject: string; what: string },
): void {
  mail.send({
    kind: 'second_factor.changed',
    to: email,
    subject,
    paragraphs: [
      what,
      'If this was not you, change your password and check your second factors now.',
    ],
    action: { label: 'Open Security', url: `${config.publicUrl.origin}/settings/security` },
  });
}

/** Records that a recovery code was used up, and emails its owner how many are left. */
export async function mailRecoveryCodeUse(
  ctx: Context,
  { personId, origin }: { personId: string; origin: Origin },
): Promise<void> {
  const { recoveryCodesLeft: left } = await countFactors(ctx.db, personId);
  const person = await ctx.db.transaction(async (tx) => {
    const found = await findPersonById(tx, personId);
    if (!found) return null;
    await recordInAccounts(tx, {
      person: found,
      origin,
      action: 'person.recovery_code_used',
      now: ctx.clock.now(),
      changes: { left },
    });
    return found;
  });
  if (!person) return;
  const codes = countOf(left, 'code is left', 'codes are left');
  mailFactorChange(ctx, {
    email: person.email,
    subject: 'A recovery code was used',
    what: `One of your recovery codes was used in place of a second factor. ${codes}.`,
  });
}
