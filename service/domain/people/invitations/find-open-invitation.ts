import { invitationHours, type InvitationTerms } from '#lib/contract/people/invitations.ts';
import { hourMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { Origin } from '../../actor.ts';
import { invalid, type ServiceError } from '../../errors.ts';
import { digestLinkToken, limitLinks } from '../links.ts';
import { findInvitationByDigest, type InvitationRecord } from '../store/invitations.ts';
import { findPersonByEmail, type PersonRow } from '../store/people.ts';

/**
 * The content of an invitation, for anyone who has its link. Does not use up the link, and does not
 * reveal whether someone already has its address: the person who invites may be shown the link.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with `details.invitation_token`
 */
export async function checkInvitation(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<InvitationTerms> {
  await limitLinks(ctx, origin);
  const { record } = await findOpenInvitation(ctx.db, token, ctx.clock.now());
  const { invitation, invitedBy, accountName } = record;
  return {
    account_name: accountName,
    invited_by: invitedBy.name,
    email: invitation.email,
    role: invitation.role,
    expires_at: formatApiTime(invitation.expiresAt),
  };
}

/** A valid invitation, the person it is for, and how they accept it. */
export type OpenInvitation = {
  record: InvitationRecord;
  person: PersonRow | null;
  /**
   * What the person does to accept. Nobody is told before they gave a password, because it says
   * whether someone has this address in another account.
   *
   * - `create_account`: gives a name and a password.
   * - `set_password`: exists, but their address was never verified: gives a new password.
   * - `sign_in`: signs in as the person with this email.
   */
  step: 'create_account' | 'set_password' | 'sign_in';
};

/** @throws ServiceError VALIDATION_ERROR with `details.invitation_token` */
export async function findOpenInvitation(
  db: Db | Tx,
  token: string,
  now: Date,
): Promise<OpenInvitation> {
  const record = await findInvitationByDigest(db, digestLinkToken(token));
  if (!record) throw invalidInvitationError();
  return openInvitationOf(record, {
    person: await findPersonByEmail(db, record.invitation.email),
    now,
  });
}

/** The same for an invitation that was already read, and the person who has its email. */
export function openInvitationOf(
  record: InvitationRecord,
  { person, now }: { person: PersonRow | null; now: Date },
): OpenInvitation {
  if (record.invitation.expiresAt <= now) throw invalidInvitationError();
  return { record, person, step: stepOf(record, person) };
}

/** Whether a person must choose a new password to join after signing in. */
export function needsNewPassword(person: PersonRow | null): boolean {
  return person?.isUnverified ?? false;
}

/**
 * An unverified person may be someone who signed up with an address that is not theirs, and waited
 * for this invitation. An emailed link proves who reads that address, so choosing a new password
 * gives the person back to them. A link that was not emailed proves nothing: its holder must sign
 * in as that person.
 */
function stepOf(
  { invitation }: InvitationRecord,
  person: PersonRow | null,
): OpenInvitation['step'] {
  if (!person) return 'create_account';
  return person.isUnverified && invitation.isMailed ? 'set_password' : 'sign_in';
}

export function invitationEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + invitationHours * hourMs);
}

/** The same error for a wrong, used, renewed, revoked and expired token. */
export function invalidInvitationError(): ServiceError {
  return invalid(
    'invitation_token',
    'This invitation is no longer valid. Ask the person who invited you for a new one.',
  );
}
