import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';

/** Tells somebody that their password was changed, after the commit. */
export function mailPasswordChange(
  ctx: Pick<Context, 'mail' | 'config'>,
  { email, origin, now }: { email: string; origin: Origin; now: Date },
): void {
  ctx.mail.send({
    to: email,
    subject: 'Your password was changed',
    text: [
      `The password of ${email} was changed on ${formatExact(now, 'UTC')}, from the address ${origin.ip}. Other sessions were signed out.`,
      'If it was not you, choose a new password now and tell an owner of your account:',
      `${ctx.config.publicUrl.origin}/forgot-password`,
    ].join('\n\n'),
  });
}
