import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { formatExact } from '#lib/time.ts';
import type { Device } from '../../../auth/device-tokens.ts';
import type { Config } from '../../../config/load-config.ts';
import type { Context } from '../../../context.ts';
import { findCredentialByEmail, type PersonCredential } from '../../../db/stored-credential.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { Origin } from '../../actor.ts';
import { plainName } from '../../quote-name.ts';

/**
 * The device of a sign-in, if the person with this email signed in there before and still has the
 * same password; otherwise null. A token that this service did not sign costs no query.
 */
export async function findKnownDevice(
  ctx: Context,
  { email, deviceToken }: { email: string; deviceToken: string | null },
): Promise<Device | null> {
  const device = deviceToken === null ? null : ctx.deviceTokens.read(deviceToken);
  if (!device) return null;
  const credential = await findCredentialByEmail(ctx.db, email);
  return credential && device.isOf(credential) ? device : null;
}

/**
 * Emails a person that someone signed in as them on an unknown device, at most five times an hour:
 * a program that signs in without cookies would cause an email each time.
 */
export async function mailNewDevice(
  ctx: Pick<Context, 'mail' | 'config' | 'limiter' | 'clock'>,
  { credential, origin }: { credential: PersonCredential; origin: Origin },
): Promise<void> {
  const { personId, email } = credential;
  const { allowed } = await ctx.limiter.consume([{ limit: 'new-device-mail', key: personId }]);
  if (!allowed) return;
  const mail = newDeviceMail(ctx.config, { email, origin, now: ctx.clock.now() });
  ctx.mail.send({ ...mail, to: email });
}

export function newDeviceMail(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { email, origin, now }: { email: string; origin: Origin; now: Date },
): MailContent {
  return {
    kind: 'device.new',
    subject: 'New sign-in on a device we do not know',
    paragraphs: [
      `Someone signed in as ${email} on a device that was not used before. If this was you, there is nothing to do.`,
      'If it was not, change your password now and sign out everywhere else.',
    ],
    facts: [
      ['Device', plainName(describeUserAgent(origin.userAgent))],
      ['Address', origin.ip],
      ['Time', formatExact(now, 'UTC')],
    ],
    action: { label: 'Open Security', url: `${publicUrl.origin}/settings/security` },
  };
}
