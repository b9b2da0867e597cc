import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { acceptInvitationInput, joinAccountInput } from '#lib/contract/people/invitations.ts';
import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config/load-config.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { mintAccountId, type AccountId } from '../../account-id.ts';
import type { Origin, SignedInPerson } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { forbidden, invalid, problemsOf } from '../../errors.ts';
import { sendNotices, type Notice } from '../notices/notices.ts';
import { addPerson } from '../add-person.ts';
import { digestLinkToken, limitLinks } from '../links.ts';
import { notifyMemberJoined } from '../members/member-joined-mail.ts';
import {
  mailPasswordChange,
  personalWordsOf,
  refuseWeakPassword,
  resetPassword,
} from '../passwords/set-password.ts';
import { confirmSession, currentSessionId } from '../sessions/find-session.ts';
import { openFirstSession, type NewSession } from '../sessions/open-session.ts';
import { deleteUnmailedEmailChanges } from '../store/email-changes.ts';
import {
  deleteInvitation,
  lockInvitationByDigest,
  type InvitationRecord,
} from '../store/invitations.ts';
import { findMemberRow, insertMember, lockOwners } from '../store/members.ts';
import { lockPersonByEmail, markVerified } from '../store/people.ts';
import { updateSession } from '../store/sessions.ts';
import {
  findOpenInvitation,
  invalidInvitationError,
  needsNewPassword,
  openInvitationOf,
  type OpenInvitation,
} from './find-open-invitation.ts';

/**
 * Accepts an invitation with a new password, and signs the person in. They are either new, or an
 * unverified person, whom the emailed link verifies and whose sessions end. If they got this address
 * by a link that was not emailed, that change can no longer be undone.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with `details.invitation_token`,
 *   `details.name` or `details.password`; with `details.email` if they have to sign in instead
 */
export async function acceptInvitation(
  ctx: Context,
  {
    input,
    earlierSession,
    origin,
  }: {
    input: z.output<typeof acceptInvitationInput>;
    earlierSession?: string | undefined;
    origin: Origin;
  },
): Promise<NewSession> {
  const { invitation_token: token, name, password } = input;
  await limitLinks(ctx, origin);
  const offered = await checkAcceptance(ctx, token, input);
  const { email } = offered.record.invitation;
  // Last, so that only an attempt that would create a person shows that nobody has this address.
  if (offered.step === 'sign_in') throw signInInstead(email);
  const passwordHash = await ctx.auth.hashPassword(password);

  const joined = await ctx.db.transaction(async (tx) => {
    const { record, person, step, now } = await lockOpenInvitation(tx, token, ctx.clock);
    if (step !== offered.step) throw signInInstead(email);
    const member = person ?? { id: crypto.randomUUID(), name, email };
    if (person) {
      await resetPassword(tx, { person, passwordHash, origin, removesFactors: true, now });
      // A link to undo such a change proves nothing about who reads the previous address. One that
      // was emailed stays, because it may be what the true owner of the person has left.
      await deleteUnmailedEmailChanges(tx, person.id);
      await markVerified(tx, person.id);
    } else {
      const isUnverified = !record.invitation.isMailed;
      await addPerson(tx, { ...member, passwordHash, now, isUnverified });
    }
    const { accountId, notices } = await joinWith(tx, record, {
      config: ctx.config,
      person: member,
      origin,
      now,
    });
    return { accountId, notices, personId: member.id };
  });

  sendNotices(ctx, joined.notices);
  if (offered.person) mailPasswordChange(ctx, { email, origin, now: ctx.clock.now() });
  const session = await openFirstSession(ctx, { email, earlierSession, origin });
  if (!session) throw new Error('who accepted an invitation could not be signed in');
  const sessionId = await currentSessionId(ctx, session.sessionToken);
  const { personId, accountId } = joined;
  await ctx.db.transaction(async (tx) => {
    await updateSession(tx, { personId, sessionId }, { chosenAccountId: accountId });
  });
  return session;
}

/**
 * What else is wrong with a body of which these fields are accepted, for one response.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function findAcceptanceProblems(
  ctx: Context,
  { input, origin }: { input: Partial<z.input<typeof acceptInvitationInput>>; origin: Origin },
): Promise<ErrorDetails> {
  const { invitation_token: token, ...given } = input;
  if (token === undefined) return {};
  await limitLinks(ctx, origin);
  return await problemsOf(() => checkAcceptance(ctx, token, given));
}

/**
 * The token first, so that nobody without one can make the service estimate or hash a password.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
async function checkAcceptance(
  ctx: Context,
  token: string,
  { name, password }: { name?: string | undefined; password?: string | undefined },
): Promise<OpenInvitation> {
  const offered = await findOpenInvitation(ctx.db, token, ctx.clock.now());
  const { invitation, accountName } = offered.record;
  if (password === undefined) return offered;
  const own = [invitation.email, accountName, ...(name === undefined ? [] : [name])];
  await refuseWeakPassword(password, { own, field: 'password' });
  return offered;
}

function signInInstead(email: string) {
  return invalid('email', `${email} already has an account. Sign in to accept this invitation.`);
}

/**
 * Accepts an invitation as the signed-in person; their session then opens with that account. An
 * unverified person must choose a new password, which ends their other sessions: anyone who opened
 * those may know the old password.
 *
 * @throws ServiceError FORBIDDEN if the invitation is for another email; VALIDATION_ERROR with
 *   `details.invitation_token` or `details.new_password`; UNAUTHORIZED if the session ended in the
 *   meantime
 */
export async function joinAccount(
  ctx: Context,
  actor: SignedInPerson,
  { input, sessionToken }: { input: z.output<typeof joinAccountInput>; sessionToken: string },
): Promise<{ id: AccountId; name: string }> {
  const { invitation_token: token, new_password: chosen } = input;
  const { personId, origin } = actor;
  const offered = await findOpenInvitation(ctx.db, token, ctx.clock.now());
  refuseOthers(offered, actor);
  const sessionId = await currentSessionId(ctx, sessionToken);
  let passwordHash: string | null = null;
  if (needsNewPassword(offered.person)) {
    if (chosen === undefined) throw passwordMissing();
    const person = { id: personId, email: actor.email, name: actor.personName };
    const own = [...(await personalWordsOf(ctx.db, person)), offered.record.accountName];
    await refuseWeakPassword(chosen, { own, field: 'new_password' });
    passwordHash = await ctx.auth.hashPassword(chosen);
  }

  const joined = await ctx.db.transaction(async (tx) => {
    const { now, ...terms } = await lockOpenInvitation(tx, token, ctx.clock);
    refuseOthers(terms, actor);
    await confirmSession(tx, { personId, sessionId });
    if (passwordHash === null && needsNewPassword(terms.person)) throw passwordMissing();
    const person = { id: personId, name: actor.personName };
    if (passwordHash !== null) {
      await resetPassword(tx, {
        person,
        passwordHash,
        keptSessionId: sessionId,
        origin,
        removesFactors: true,
        now,
      });
    }
    const { accountId, notices } = await joinWith(tx, terms.record, {
      config: ctx.config,
      person,
      origin,
      now,
    });
    await updateSession(tx, { personId, sessionId }, { chosenAccountId: accountId });
    return { account: { id: accountId, name: terms.record.accountName }, notices, now };
  });
  sendNotices(ctx, joined.notices);
  if (passwordHash !== null)
    mailPasswordChange(ctx, { email: actor.email, origin, now: joined.now });
  return joined.account;
}

function passwordMissing() {
  return invalid('new_password', 'Choose a new password to join.');
}

function refuseOthers({ record, person, step }: OpenInvitation, actor: SignedInPerson): void {
  const { email } = record.invitation;
  if (person?.id !== actor.personId) {
    throw forbidden(
      'other_person',
      `This invitation is for ${email}. Sign in as that person to accept it.`,
    );
  }
  if (step === 'set_password') {
    throw invalid('invitation_token', 'Sign out, then open the link again to choose a password.');
  }
}

/**
 * Reads an invitation under lock, so that only one of two people who accept it at the same time
 * succeeds.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.invitation_token`
 */
async function lockOpenInvitation(
  tx: Tx,
  token: string,
  clock: Clock,
): Promise<OpenInvitation & { now: Date }> {
  const { record } = await findOpenInvitation(tx, token, clock.now());
  // First, so that concurrent changes of one team run one after the other.
  await lockOwners(tx, mintAccountId(record.invitation.accountId));
  const locked = await lockInvitationByDigest(tx, digestLinkToken(token));
  if (!locked) throw invalidInvitationError();
  // Locked, so that they still have this email when they join.
  const person = await lockPersonByEmail(tx, locked.invitation.email);
  const now = clock.now();
  return { ...openInvitationOf(locked, { person, now }), now };
}

/**
 * Uses up a locked invitation: makes the person a member with the role it names.
 *
 * @returns the account, and the emails to send after the commit
 * @throws ServiceError VALIDATION_ERROR with `details.invitation_token` if they are already a
 *   member
 */
async function joinWith(
  tx: Tx,
  { invitation, invitedBy }: InvitationRecord,
  {
    config,
    person,
    origin,
    now,
  }: {
    config: Pick<Config, 'publicUrl'>;
    person: { id: string; name: string };
    origin: Origin;
    now: Date;
  },
): Promise<{ accountId: AccountId; notices: Notice[] }> {
  const accountId = mintAccountId(invitation.accountId);
  if (await findMemberRow(tx, accountId, person.id)) {
    throw invalid('invitation_token', 'You are already a member of this account. Sign in.');
  }
  const { role } = invitation;
  await insertMember(tx, { accountId, personId: person.id, role, createdAt: now });
  await deleteInvitation(tx, invitation);
  await recordAudit(tx, {
    accountId,
    by: { kind: 'person', id: person.id, name: person.name },
    origin,
    action: 'member.added',
    at: now,
    target: { kind: 'person', id: person.id, name: person.name },
    changes: { email: invitation.email, role, invited_by: invitedBy.name },
  });
  const notices = await notifyMemberJoined(
    tx,
    { config },
    {
      accountId,
      person: { ...person, email: invitation.email },
      role,
      addedBy: invitedBy.name,
      now,
    },
  );
  return { accountId, notices };
}
