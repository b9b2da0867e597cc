import { formatExact } from '#lib/time.ts';
import type { OperatorContext } from './operator.ts';

type Mailing = Pick<OperatorContext, 'mail' | 'clock'> & {
  config: Pick<OperatorContext['config'], 'publicUrl'>;
};

/** Emails a person that an operator replaced their password. Call it after the commit. */
export function mailAccessReset(
  ctx: Mailing,
  { email, isVerified }: { email: string; isVerified?: true },
): void {
  const { publicUrl } = ctx.config;
  const when = formatExact(ctx.clock.now(), 'UTC');
  ctx.mail.send({
    kind: 'password.reset_by_operator',
    to: email,
    subject: 'Your password was reset',
    paragraphs: [
      `Whoever runs ${publicUrl.host} replaced the password of ${email} on ${when} and signed you out everywhere. Ask them for the new password, then change it after you sign in.`,
      ...(isVerified
        ? [
            'Until then, nobody had verified that this address is yours, so second factors were removed as well.',
          ]
        : []),
      'If you did not expect this, ask whoever runs the service why. You can also choose a new password yourself.',
    ],
    action: { label: 'Choose a new password', url: `${publicUrl.origin}/forgot-password` },
  });
}

/** Emails a person that an operator removed their second factors. Call it after the commit. */
export function mailFactorsReset(ctx: Mailing, { email }: { email: string }): void {
  const { publicUrl } = ctx.config;
  const when = formatExact(ctx.clock.now(), 'UTC');
  ctx.mail.send({
    kind: 'second_factor.reset_by_operator',
    to: email,
    subject: 'Your second factors were removed',
    paragraphs: [
      `Whoever runs ${publicUrl.host} removed all second factors of ${email} on ${when} and signed you out everywhere. You now sign in with your password alone.`,
      'To add a second factor again, sign in and open Security.',
    ],
    action: { label: 'Open Security', url: `${publicUrl.origin}/settings/security` },
    closing: [
      'If you did not ask for this, change your password now and ask whoever runs the service why.',
    ],
  });
}
