import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import type { Origin, PersonActor, SignedInPerson } from '../../actor.ts';
import { findSession } from './find-session.ts';
import { noteLastSeen } from './note-last-seen.ts';
import { isTooOld } from './session-end.ts';
import { listMemberships } from '../store/members.ts';
import { deleteSession } from '../store/sessions.ts';

type SessionInAccount = {
  sessionToken: string;
  origin: Origin;
  /** The id of the account they ask to act in; without it, the account of the session counts. */
  account?: string | undefined;
};

type FoundPerson =
  | { kind: 'actor'; actor: PersonActor }
  | { kind: 'stranger'; personId: string }
  | { kind: 'of_no_account'; person: SignedInPerson };

/**
 * Who is behind a session token, as a member of the account they ask for. Everything is read anew on
 * each call, so that a changed role or a removed member counts at once.
 *
 * - `actor`: a member.
 * - `stranger`: no member of that account, but of another.
 * - `of_no_account`: a member of none.
 *
 * The account of the session is the one chosen for it; without a choice, or once the person left
 * it, the one they joined first.
 *
 * @returns null if the session has ended: for good, also for other accounts, once it is older than
 *   the account lets one be
 */
export async function findPerson(
  ctx: Context,
  { sessionToken, origin, account }: SessionInAccount,
): Promise<FoundPerson | null> {
  const session = await findSession(ctx, sessionToken);
  if (!session) return null;
  const memberships = await listMemberships(ctx.db, session.personId);
  const { personId } = session;
  const person = {
    origin,
    personId,
    personName: session.personName,
    email: session.email,
    provedAt: session.provedAt,
    ...(session.isReplaced && { mayOnlyRead: true as const }),
  };
  const [first] = memberships;
  if (!first) return { kind: 'of_no_account', person: { ...person, accountId: null } };
  const of = (id: string | null) => memberships.find(({ accountId }) => accountId === id);
  const membership =
    account === undefined ? (of(session.chosenAccountId) ?? first) : of(account.toLowerCase());
  if (!membership) return { kind: 'stranger', personId };
  if (isTooOld(session, membership, ctx.clock.now())) {
    await deleteSession(ctx.db, session);
    return null;
  }
  await noteLastSeen(ctx, { membership, personId, agent: origin.userAgent });
  const actor: PersonActor = {
    ...person,
    kind: 'person',
    accountId: mintAccountId(membership.accountId),
    role: membership.role,
    support: membership.support,
  };
  return { kind: 'actor', actor };
}

/** The same for those who need the actor alone. */
export async function findPersonActor(
  ctx: Context,
  about: SessionInAccount,
): Promise<PersonActor | null> {
  const found = await findPerson(ctx, about);
  return found?.kind === 'actor' ? found.actor : null;
}
