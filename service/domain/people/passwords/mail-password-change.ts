import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';

/** Emails a person that their password was changed. Call it after the commit. */
export function mailPasswordChange(
  ctx: Pick<Context, 'mail' | 'config'>,
  { email, origin, now }: { email: string; origin: Origin; now: Date },
): void {
  ctx.mail.send({
    kind: 'password.changed',
    to: email,
    subject: 'Your password was changed',
    paragraphs: [
      `The password of ${email} was changed. Other sessions were signed out.`,
      'If it was not you, choose a new password now and tell an owner of your account.',
    ],
    facts: [
      ['Time', formatExact(now, 'UTC')],
      ['Address', origin.ip],
    ],
    action: {
      label: 'Choose a new password',
      url: `${ctx.config.publicUrl.origin}/forgot-password`,
    },
  });
}
