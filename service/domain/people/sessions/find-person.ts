import type { AuthSession } from '../../../auth/auth.ts';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import type { Origin, PersonActor, SignedInPerson } from '../../actor.ts';
import { isUuid } from '../../resource-reference.ts';
import { findableMemberships } from '../accounts/deletion.ts';
import { lacksRequiredFactor } from '../second-factors/required-factor.ts';
import {
  findClosedVisit,
  findSupportedAccount,
  isInstallationSupport,
  type ClosedVisit,
  type SupportedAccount,
} from '../store/installation-support.ts';
import { listMemberships, updateLastSeen, type Membership } from '../store/members.ts';
import { deleteSession } from '../store/sessions.ts';
import { isTooOld } from './session-end.ts';

type SessionInAccount = {
  sessionToken: string;
  origin: Origin;
  /** The account in which they ask to act; without it, the account of the session is used. */
  account?: string | undefined;
};

type FoundPerson =
  | { kind: 'actor'; actor: PersonActor }
  | { kind: 'stranger'; personId: string; deletedAt: Date | null; closedAt: Date | null }
  | { kind: 'of_no_account'; person: SignedInPerson };

/**
 * The person to whom a session token belongs, in the account they ask for. Everything is read again
 * on each call, so that a changed role, a removed member or an account that was closed to
 * installation support has an effect immediately.
 *
 * - `actor`: a member, or installation support if the account allows it.
 * - `stranger`: neither, but they can open another account. `deletedAt`: they are a member, or had the
 *   account open in this session as installation support, but it is being deleted and only its owners
 *   can still open it. `closedAt`: an owner closed it to installation support while they had it open.
 * - `of_no_account`: they are a member of no account that they can open. Installation support that
 *   asks for an account is a `stranger` instead.
 *
 * The account of the session is the one that was chosen for it. Without a choice, or if they can no
 * longer open that account, it is the first account they joined, of those that are not being
 * deleted and for which the session is not too old.
 *
 * A session that is older than an account allows does not open that account, and goes on in others:
 * no account decides how long the sessions of its members last elsewhere. It ends once it opens none.
 *
 * @returns null if the session has ended, or is too old for the account
 */
export async function findPerson(
  ctx: Context,
  { sessionToken, origin, account }: SessionInAccount,
): Promise<FoundPerson | null> {
  const session = await ctx.auth.session(sessionToken);
  if (!session) return null;
  const memberships = await listMemberships(ctx.db, session.personId);
  const now = ctx.clock.now();
  const openable = findableMemberships(memberships, now);
  const person: Person = {
    origin,
    personId: session.personId,
    personName: session.personName,
    email: session.email,
    provedAt: session.provedAt,
    ...(session.isReplaced && { mayOnlyRead: true }),
  };
  const asked = account?.toLowerCase();
  const access = await (asked === undefined
    ? findAccessOfSession(ctx, session, { openable, now })
    : findAccessTo(ctx, session, { asked, openable }));
  if (!access) {
    return await describeWithoutAccess(ctx, person, { session, asked, openable, memberships });
  }
  if (isTooOld(session, access, now)) {
    const opensNone = openable.every((one) => isTooOld(session, one, now));
    if (opensNone && !(await isInstallationSupport(ctx.db, session.personId))) {
      await deleteSession(ctx.db, session);
    }
    return null;
  }
  const actor = actorWith(access, person, now);
  loadedWithActors.set(actor, { session, memberships });
  // A call that names no account, such as a search in all of them, does not count as a use of the
  // session's account.
  if (asked !== undefined && !('visit' in access)) {
    const { personId } = person;
    await noteLastSeen(ctx, { membership: access, personId, agent: origin.userAgent });
  }
  return { kind: 'actor', actor };
}

type Person = Omit<SignedInPerson, 'accountId'>;

/** How a person can open an account: as a member, or as installation support. */
type Access = Membership | SupportedAccount;

async function findAccessTo(
  ctx: Context,
  session: AuthSession,
  { asked, openable }: { asked: string; openable: readonly Membership[] },
): Promise<Access | null> {
  return (
    openable.find(({ accountId }) => accountId === asked) ??
    (await findSupported(ctx, session, asked))
  );
}

async function findAccessOfSession(
  ctx: Context,
  session: AuthSession,
  { openable, now }: { openable: readonly Membership[]; now: Date },
): Promise<Access | null> {
  const { chosenAccountId } = session;
  const young = openable.filter((one) => !isTooOld(session, one, now));
  const living = young.filter(({ deletedAt }) => deletedAt === null);
  const chosen = living.find(({ accountId }) => accountId === chosenAccountId);
  if (chosen) return chosen;
  const supported = await findSupported(ctx, session, chosenAccountId);
  if (supported && !isTooOld(session, supported, now)) return supported;
  return living[0] ?? young[0] ?? openable[0] ?? null;
}

async function describeWithoutAccess(
  ctx: Context,
  person: Person,
  {
    session,
    asked,
    openable,
    memberships,
  }: {
    session: AuthSession;
    asked: string | undefined;
    openable: readonly Membership[];
    memberships: readonly Membership[];
  },
): Promise<FoundPerson> {
  const { personId } = person;
  const canOpenOthers =
    openable.length > 0 || (asked !== undefined && (await isInstallationSupport(ctx.db, personId)));
  if (!canOpenOthers) return { kind: 'of_no_account', person: { ...person, accountId: null } };
  const hidden = memberships.find(({ accountId }) => accountId === asked);
  const visited = hidden ? null : await findVisited(ctx, session, asked);
  return {
    kind: 'stranger',
    personId,
    deletedAt: (hidden ?? visited)?.deletedAt ?? null,
    closedAt: visited?.closedAt ?? null,
  };
}

function actorWith(access: Access, person: Person, now: Date): PersonActor {
  return {
    ...person,
    kind: 'person',
    accountId: mintAccountId(access.accountId),
    role: access.role,
    support: access.support,
    ...('deletedAt' in access && access.deletedAt && { isAccountDeleted: true }),
    ...(lacksRequiredFactor(access, now) && { lacksSecondFactor: true }),
    ...('visit' in access && { installationSupport: { visit: access.visit } }),
  };
}

type LoadedPerson = { session: AuthSession; memberships: Membership[] };

const loadedWithActors = new WeakMap<PersonActor, LoadedPerson>();

/**
 * The session and all memberships that `findPerson` loaded with this actor, so that the same call
 * does not load them again. Undefined for an actor that `findPerson` did not load.
 */
export function loadedWithActor(actor: PersonActor): LoadedPerson | undefined {
  return loadedWithActors.get(actor);
}

/** Why installation support can no longer open an account that was open in this session. */
async function findVisited(
  ctx: Context,
  { personId, sessionId }: AuthSession,
  account: string | undefined,
): Promise<ClosedVisit | null> {
  if (account === undefined || !isUuid(account)) return null;
  return await findClosedVisit(ctx.db, { accountId: mintAccountId(account), personId, sessionId });
}

/** The rights of installation support in an account; null if the person has none there. */
async function findSupported(
  ctx: Context,
  { personId, sessionId }: AuthSession,
  account: string | null,
): Promise<SupportedAccount | null> {
  if (account === null || !isUuid(account)) return null;
  const accountId = mintAccountId(account);
  return await findSupportedAccount(ctx.db, {
    accountId,
    personId,
    sessionId,
    now: ctx.clock.now(),
  });
}

/** The same as `findPerson`, for callers that need only the actor; null if there is none. */
export async function findPersonActor(
  ctx: Context,
  session: SessionInAccount,
): Promise<PersonActor | null> {
  const found = await findPerson(ctx, session);
  return found?.kind === 'actor' ? found.actor : null;
}

/** How often an active person causes a write, at most. */
const noteMs = 60_000;

/**
 * Records when and with which browser a member used the dashboard in an account. If the database
 * cannot write, calls that only read still succeed.
 */
async function noteLastSeen(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  {
    membership,
    personId,
    agent,
  }: { membership: Membership; personId: string; agent: string | null },
): Promise<void> {
  const now = ctx.clock.now();
  const notedBefore = new Date(now.getTime() - noteMs);
  if (membership.lastSeenAt && membership.lastSeenAt > notedBefore) return;
  const accountId = mintAccountId(membership.accountId);
  await updateLastSeen(ctx.db, { accountId, personId }, { now, agent, notedBefore }).catch(
    (error: unknown) => ctx.log.debug({ err: error }, 'could not note when a member was last seen'),
  );
}
