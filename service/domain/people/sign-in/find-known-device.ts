import type { Device } from '../../../auth/device-tokens.ts';
import type { Context } from '../../../context.ts';
import { findCredentialByEmail } from '../store/people.ts';

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
