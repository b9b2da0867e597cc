import type { Device } from '../../../auth/device-tokens.ts';
import type { Context } from '../../../context.ts';
import type { LimitUse } from '../../../limiter/limiter.ts';
import { subscriberOf } from '../../../networks.ts';
import type { Origin } from '../../actor.ts';
import { emailLimitKey } from '../email-limit-key.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';

/** An attempt that was counted. `giveBack` takes it out of what counts wrong passwords only. */
export type CountedAttempt = { giveBack: () => Promise<void> };

/**
 * Counts an attempt to sign in, before any password is hashed.
 *
 * From a known device it counts for that device alone: ten a minute. Whatever others try, its owner
 * gets in. From any other place it counts
 *
 * - by address, ten a minute, right ones too: one password is not tried on many people;
 * - by email and address, 30 an hour: one address alone cannot use up what an email may have;
 * - by email, 100 an hour: many addresses together do not find out one password.
 *
 * What one of these refuses counts for none of them. An email that nobody has is counted like any
 * other, so that a refusal does not tell who exists.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the seconds to wait
 */
export async function limitSignIn(
  ctx: Pick<Context, 'limiter'>,
  about: { email: string; origin: Pick<Origin, 'ip'>; device: Device | null },
): Promise<CountedAttempt> {
  const { email, origin, device } = about;
  if (device) {
    await refuseOverLimit(ctx, [{ limit: 'sign-in-device', key: device.deviceId }]);
    return { giveBack: async () => undefined };
  }
  const address = subscriberOf(origin.ip);
  const owner = emailLimitKey(email);
  const wrongOnes: LimitUse[] = [
    { limit: 'sign-in-email-address', key: `${owner} ${address}` },
    { limit: 'sign-in-email', key: owner },
  ];
  await refuseOverLimit(ctx, [{ limit: 'sign-in-address', key: address }, ...wrongOnes]);
  return { giveBack: () => ctx.limiter.giveBack(wrongOnes) };
}
