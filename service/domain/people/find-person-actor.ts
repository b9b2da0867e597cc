import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import type { Origin, PersonActor } from '../actor.ts';
import { listMemberships } from './store.ts';

/**
 * Who is behind a session token, in which account and with which role; null if the session has
 * ended or the person belongs to no account. Everything is read anew on each call, so that a
 * changed role or a removed member counts at once.
 *
 * `accountId` chooses among a person's accounts; without it the one they joined first counts.
 */
export async function findPersonActor(
  ctx: Context,
  about: { sessionToken: string; origin: Origin; accountId?: string },
): Promise<PersonActor | null> {
  const session = await ctx.auth.session(about.sessionToken);
  if (!session) return null;
  const memberships = await listMemberships(ctx.db, session.personId);
  const membership =
    about.accountId === undefined
      ? memberships[0]
      : memberships.find(({ accountId }) => accountId === about.accountId);
  if (!membership) return null;
  return {
    kind: 'person',
    accountId: mintAccountId(membership.accountId),
    origin: about.origin,
    personId: session.personId,
    personName: session.personName,
    email: session.email,
    role: membership.role,
    provedAt: session.createdAt,
  };
}
