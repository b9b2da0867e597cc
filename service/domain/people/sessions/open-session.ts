import type { SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import type { SessionCookie } from '../../../auth/auth.ts';
import type { Device, DeviceToken } from '../../../auth/device-tokens.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { findCredentialByEmail, type PersonCredential } from '../../../db/stored-credential.ts';
import type { Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid } from '../../errors.ts';
import { hasFactor } from '../second-factors/required-factor.ts';
import { isInstallationSupport } from '../store/installation-support.ts';
import { hasOpenInvitation } from '../store/invitations.ts';
import { listMemberships } from '../store/members.ts';
import { lockPasswordHash } from '../store/people.ts';
import { signOut } from './end-session.ts';
import { findPerson, findPersonActor } from './find-person.ts';

/** What a browser must keep to stay signed in, and to be recognized when it signs in again. */
export type NewSession = SessionCookie & DeviceToken;

type Proved = {
  /** The person whose password was right, and the password's hash. */
  credential: PersonCredential;
  /** The second factor that was given; null if they have none. */
  factor: SecondFactorKind | null;
  origin: Origin;
  device: Device | null;
  /** The token of the session that the browser already has, which ends. */
  earlierSession?: string | undefined;
  /** A further condition, checked in the transaction that keeps the session. */
  confirm?: (tx: Tx) => Promise<boolean>;
};

/**
 * Opens a session for a person who proved who they are. Null if they have a second factor and did
 * not give it, or if their password was replaced in the meantime: replacing a password ends all
 * sessions, and must also prevent a session that is just being opened with the old password.
 *
 * @throws ServiceError VALIDATION_ERROR if the person belongs to no account. People who were
 *   invited to an account, and so can accept, or who are installation support, and so can choose an
 *   account, are allowed
 */
export async function openSession(
  ctx: Context,
  { credential, factor, origin, device, earlierSession, confirm }: Proved,
): Promise<NewSession | null> {
  const { personId, email, passwordHash } = credential;
  const { ip, userAgent } = origin;
  const session = await ctx.auth.openSession({ personId, ip, userAgent });
  const actor = await findPersonActor(ctx, { sessionToken: session.sessionToken, origin });
  if (!actor && !(await mayChooseOrJoin(ctx, email, personId))) {
    await ctx.auth.signOut(session.sessionToken);
    throw invalid('email', await whyOfNoAccount(ctx, credential));
  }
  const isStillRight = await ctx.db.transaction(async (tx) => {
    if ((await lockPasswordHash(tx, personId)) !== passwordHash) return false;
    // A second factor that was added since the password was checked.
    if (factor === null && (await hasFactor(tx, personId))) return false;
    if (confirm && !(await confirm(tx))) return false;
    // A person of no account has no audit log in which to record this.
    if (!actor) return true;
    await recordAudit(tx, {
      actor,
      action: 'session.created',
      at: ctx.clock.now(),
      target: { kind: 'person', id: actor.personId, name: actor.personName },
      ...(factor !== null && { changes: { second_factor: factor } }),
    });
    return true;
  });
  if (!isStillRight) {
    await ctx.auth.signOut(session.sessionToken);
    return null;
  }
  if (earlierSession !== undefined) await endEarlier(ctx, earlierSession, origin);
  return { ...session, ...ctx.deviceTokens.issue({ credential, device }) };
}

/** Ends the session that the browser had, whose cookie it is about to replace. */
async function endEarlier(ctx: Context, sessionToken: string, origin: Origin): Promise<void> {
  const found = await findPerson(ctx, { sessionToken, origin });
  if (found?.kind === 'actor') await signOut(ctx, found.actor, sessionToken);
  if (found?.kind === 'of_no_account') await signOut(ctx, found.person, sessionToken);
}

/** Whether there is something that a person without an account can do. */
async function mayChooseOrJoin(ctx: Context, email: string, personId: string): Promise<boolean> {
  if (await hasOpenInvitation(ctx.db, email, ctx.clock.now())) return true;
  return await isInstallationSupport(ctx.db, personId);
}

async function whyOfNoAccount(
  ctx: Context,
  credential: { personId: string } | null,
): Promise<string> {
  const memberships = credential ? await listMemberships(ctx.db, credential.personId) : [];
  const [deleted] = memberships.filter(({ deletedAt }) => deletedAt !== null);
  return deleted
    ? `The account ${deleted.accountName} is being deleted. Only its owners can still sign in.`
    : 'You do not belong to an account. Ask an owner to invite you, or your administrator to add you.';
}

/**
 * Signs in a person who just chose their password with a link. Null if they have a second factor,
 * or if the password was replaced since.
 */
export async function openFirstSession(
  ctx: Context,
  {
    email,
    earlierSession,
    origin,
  }: { email: string; earlierSession?: string | undefined; origin: Origin },
): Promise<NewSession | null> {
  const credential = await findCredentialByEmail(ctx.db, email);
  const proved = { factor: null, origin, device: null, earlierSession };
  return credential && (await openSession(ctx, { credential, ...proved }));
}
