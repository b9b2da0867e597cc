import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { setUpInput } from '#lib/contract/people/set-up.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { problemsOf } from '../../errors.ts';
import { digestLinkToken } from '../links.ts';
import { createAccount } from '../members/create-account.ts';
import { refuseWeakPassword } from '../passwords/set-password.ts';
import { openFirstSession, type NewSession } from '../sessions/open-session.ts';
import { hasPeople, insertPerson } from '../store/people.ts';
import { findSetUpToken, lockFirstPerson, takeSetUpToken } from '../store/set-up.ts';
import { alreadySetUpError, invalidSetUpTokenError } from './set-up-token.ts';

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
  await checkTokenAndPassword(ctx, input);
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

/** What else is wrong with a body of which these fields are accepted, for one response. */
export async function findSetUpProblems(
  ctx: Context,
  given: Partial<z.input<typeof setUpInput>>,
): Promise<ErrorDetails> {
  return await problemsOf(() => checkTokenAndPassword(ctx, given));
}

/**
 * The token first, so that nobody without one can make the service estimate or hash a password.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
async function checkTokenAndPassword(
  ctx: Context,
  { set_up_token: token, password, ...owner }: Partial<z.input<typeof setUpInput>>,
): Promise<void> {
  if (token === undefined) return;
  await checkSetUpToken(ctx, token);
  if (password === undefined) return;
  const own = [owner.email, owner.name, owner.account_name].filter((text) => text !== undefined);
  await refuseWeakPassword(password, { own, field: 'password' });
}

/** Whether the service has no person yet. */
export async function isSetUpOpen(ctx: Context): Promise<boolean> {
  return !(await hasPeople(ctx.db));
}

/**
 * Until when a set-up token can be used. Does not use it up.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.set_up_token`
 */
export async function checkSetUpToken(ctx: Context, token: string): Promise<{ validUntil: Date }> {
  if (await hasPeople(ctx.db)) throw alreadySetUpError();
  const found = await findSetUpToken(ctx.db, digestLinkToken(token));
  if (!found || found.expiresAt <= ctx.clock.now()) throw invalidSetUpTokenError();
  return { validUntil: found.expiresAt };
}
