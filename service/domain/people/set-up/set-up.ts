import type { z } from 'zod';
import type { setUpInput } from '#lib/contract/people/sessions.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { checkSetUpToken } from './check-set-up-token.ts';
import { createAccount } from '../members/create-account.ts';
import { openFirstSession } from '../sessions/open-first-session.ts';
import type { NewSession } from '../sessions/open-session.ts';
import { refuseWeakPassword } from '../passwords/refuse-weak-password.ts';
import { digestLinkToken } from '../link-token.ts';
import { alreadySetUpError, invalidSetUpTokenError } from './set-up-token.ts';
import { hasPeople, insertPerson } from '../store/people.ts';
import { lockFirstPerson, takeSetUpToken } from '../store/set-up.ts';

/**
 * Creates the first person, who owns the first account, and signs them in. Uses up the set-up
 * token: of two concurrent calls with it, one succeeds.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.set_up_token` for a token that is wrong,
 *   used, expired or no longer needed; with `details.password` for one that is easy to guess
 */
export async function setUp(
  ctx: Context,
  { input, origin }: { input: z.output<typeof setUpInput>; origin: Origin },
): Promise<NewSession> {
  const { email, password } = input;
  // Before the password is hashed, so that nobody without a token can make the service do that
  // work.
  await checkSetUpToken(ctx, input.set_up_token);
  const own = [email, input.name, input.account_name];
  await refuseWeakPassword(password, { own, field: 'password' });
  const passwordHash = await ctx.auth.hashPassword(password);

  await ctx.db.transaction(async (tx) => {
    await lockFirstPerson(tx);
    if (await hasPeople(tx)) throw alreadySetUpError();
    const now = ctx.clock.now();
    const token = await takeSetUpToken(tx, digestLinkToken(input.set_up_token));
    if (!token || token.expiresAt <= now) throw invalidSetUpTokenError();
    const owner = { id: crypto.randomUUID(), name: input.name, email };
    await insertPerson(tx, { ...owner, passwordHash, now });
    const by = { kind: 'person', id: owner.id, name: owner.name } as const;
    await createAccount(tx, { name: input.account_name, owner, by, origin, now });
  });

  const session = await openFirstSession(ctx, { email, origin });
  if (!session) throw new Error('the first person could not be signed in');
  return session;
}
