import type { Context } from '../../../context.ts';

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
