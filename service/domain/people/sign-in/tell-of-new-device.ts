import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import type { PersonCredential } from '../store/people.ts';

/**
 * Mails a person that somebody signed in as them on a device that is not known. Once an hour they are
 * told of five at most: a program that signs in without cookies is no news each time.
 */
export async function tellOfNewDevice(
  ctx: Pick<Context, 'mail' | 'config' | 'limiter' | 'clock'>,
  { credential, origin }: { credential: PersonCredential; origin: Origin },
): Promise<void> {
  const { personId, email } = credential;
  const { allowed } = await ctx.limiter.consume([{ limit: 'new-device-mail', key: personId }]);
  if (!allowed) return;
  ctx.mail.send({
    to: email,
    subject: 'New sign-in on a device we do not know',
    text: [
      `Somebody signed in as ${email} on a device that was not used before.`,
      [
        `Device: ${describeUserAgent(origin.userAgent)}`,
        `Address: ${origin.ip}`,
        `Time: ${formatExact(ctx.clock.now(), 'UTC')}`,
      ].join('\n'),
      'If this was you, there is nothing to do.',
      'If it was not, change your password now and sign out everywhere else:',
      `${ctx.config.publicUrl.origin}/settings/security`,
    ].join('\n\n'),
  });
}
