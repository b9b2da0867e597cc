import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import type { Origin, PersonActor } from '../../actor.ts';
import { findSession } from './find-session.ts';
import { noteLastSeen } from './note-last-seen.ts';
import { listMemberships } from '../store/members.ts';

type SessionInAccount = {
  sessionToken: string;
  origin: Origin;
  /** The id of the account they ask to act in; without it, the account of the session counts. */
  account?: string | undefined;
};

/**
 * Who is behind a session token, and what they are in the account they ask for: `actor` is null if
 * they are no member of it. Null if the session has ended or the person belongs to no account.
 * Everything is read anew on each call, so that a changed role or a removed member counts at once.
 *
 * The account of the session is the one chosen for it; without a choice, or once the person left
 * it, the one they joined first.
 */
export async function findPerson(
  ctx: Context,
  { sessionToken, origin, account }: SessionInAccount,
): Promise<{ personId: string; actor: PersonActor | null } | null> {
  const session = await findSession(ctx, sessionToken);
  if (!session) return null;
  const memberships = await listMemberships(ctx.db, session.personId);
  const [first] = memberships;
  if (!first) return null;
  const of = (id: string | null) => memberships.find(({ accountId }) => accountId === id);
  const membership =
    account === undefined ? (of(session.chosenAccountId) ?? first) : of(account.toLowerCase());
  const { personId } = session;
  if (!membership) return { personId, actor: null };
  await noteLastSeen(ctx, { membership, personId, agent: origin.userAgent });
  const actor: PersonActor = {
    kind: 'person',
    accountId: mintAccountId(membership.accountId),
    origin,
    personId,
    personName: session.personName,
    email: session.email,
    role: membership.role,
    support: membership.support,
    provedAt: session.provedAt,
    ...(session.isReplaced && { mayOnlyRead: true }),
  };
  return { personId, actor };
}

/** The same for those who need the actor alone. */
export async function findPersonActor(
  ctx: Context,
  about: SessionInAccount,
): Promise<PersonActor | null> {
  return (await findPerson(ctx, about))?.actor ?? null;
}
