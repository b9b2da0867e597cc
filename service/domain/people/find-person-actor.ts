import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import type { Origin, PersonActor } from '../actor.ts';
import { findSession } from './find-session.ts';
import { listMemberships } from './store.ts';

/**
 * Who is behind a session token, in which account and with which role; null if the session has
 * ended or the person belongs to no account. Everything is read anew on each call, so that a
 * changed role or a removed member counts at once.
 *
 * The account is the one chosen for the session; without a choice, or once the person left it, the
 * one they joined first.
 */
export async function findPersonActor(
  ctx: Context,
  about: { sessionToken: string; origin: Origin },
): Promise<PersonActor | null> {
  const session = await findSession(ctx, about.sessionToken);
  if (!session) return null;
  const memberships = await listMemberships(ctx.db, session.personId);
  const chosen = memberships.find(({ accountId }) => accountId === session.chosenAccountId);
  const membership = chosen ?? memberships[0];
  if (!membership) return null;
  return {
    kind: 'person',
    accountId: mintAccountId(membership.accountId),
    origin: about.origin,
    personId: session.personId,
    personName: session.personName,
    email: session.email,
    role: membership.role,
    support: membership.support,
    provedAt: session.provedAt,
    ...(session.isReplaced && { mayOnlyRead: true }),
  };
}
