import type { Device } from '../../../auth/device-tokens.ts';
import type { Context } from '../../../context.ts';
import type { LimitUse } from '../../../limiter/limiter.ts';
import { subscriberOf } from '../../../network/networks.ts';
import type { Origin } from '../../actor.ts';
import { emailLimitKey } from '../links.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';

/** A counted attempt. `giveBack` takes it from the limits that count only wrong passwords. */
type CountedAttempt = { giveBack: () => Promise<void> };

/**
 * Counts an attempt to sign in, before any password is hashed.
 *
 * An attempt from a known device counts for that device alone: ten a minute. So its owner can
 * always sign in, no matter what others try. Any other attempt counts
 *
 * - by address, ten a minute, including right passwords: nobody can try one password on many
 *   people;
 * - by email and address, 30 an hour: one address alone cannot use up the limit of an email;
 * - by email, 100 an hour: many addresses together cannot guess a password.
 *
 * If one of these limits refuses an attempt, it counts for none of them. An email that nobody has
 * is counted like any other, so that a refusal does not reveal who exists.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED with the seconds to wait
 */
export async function limitSignIn(
  ctx: Pick<Context, 'limiter'>,
  { email, origin, device }: { email: string; origin: Pick<Origin, 'ip'>; device: Device | null },
): Promise<CountedAttempt> {
  if (device) {
    await refuseOverLimit(ctx, [{ limit: 'sign-in-device', key: device.deviceId }]);
    return { giveBack: async () => undefined };
  }
  const address = subscriberOf(origin.ip);
  const owner = emailLimitKey(email);
  const wrongOnes: LimitUse[] = [
    { limit: 'sign-in-email-address', key: `${owner} ${address}`, from: origin.ip },
    { limit: 'sign-in-email', key: owner, from: origin.ip },
  ];
  const ofAddress = { limit: 'sign-in-address', key: address, from: origin.ip } as const;
  await refuseOverLimit(ctx, [ofAddress, ...wrongOnes]);
  return { giveBack: () => ctx.limiter.giveBack(wrongOnes) };
}
