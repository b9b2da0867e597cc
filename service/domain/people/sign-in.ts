import type { z } from 'zod';
import type { signInInput } from '#lib/contract/dashboard.ts';
import type { Context } from '../../context.ts';
import { subscriberOf } from '../../networks.ts';
import type { Origin } from '../actor.ts';
import { invalid } from '../errors.ts';
import { limitPasswordAttempts } from './limit-password-attempts.ts';
import { openSession } from './open-session.ts';
import type { NewSession } from './open-session.ts';

/**
 * Signs a person in. Attempts are counted by e-mail and by address, right ones included, so that
 * neither one person's password nor one password for many people can be tried out.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with one text for a wrong password
 *   and an unknown e-mail
 */
export async function signIn(
  ctx: Context,
  { input, origin }: { input: z.output<typeof signInInput>; origin: Origin },
): Promise<NewSession> {
  await limitPasswordAttempts(ctx, [`address:${subscriberOf(origin.ip)}`, `email:${input.email}`]);
  const session = await openSession(ctx, { ...input, origin });
  if (!session) throw invalid('password', 'E-mail or password is not right.');
  return session;
}
