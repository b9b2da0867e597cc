import type { Clock } from '../../../clock.ts';
import type { Config } from '../../../config/load-config.ts';
import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import type { Notice } from '../../notices/create-notices.ts';
import { notifyMemberJoined } from '../members/member-joined-mail.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid } from '../../errors.ts';
import { deleteInvitation, lockInvitationByDigest } from '../store/invitations.ts';
import type { InvitationRecord } from '../store/invitations.ts';
import { findMemberRow, insertMember, lockOwners } from '../store/members.ts';
import { lockPersonByEmail } from '../store/people.ts';
import { findTerms, termsOf } from './find-terms.ts';
import type { Terms } from './find-terms.ts';
import { digestLinkToken } from '../link-token.ts';
import { invalidInvitationError } from './rules.ts';

/**
 * Reads an invitation under lock, so that only one of two people who accept it at once succeeds.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.invitation_token`
 */
export async function lockTerms(
  tx: Tx,
  token: string,
  clock: Clock,
): Promise<Terms & { now: Date }> {
  const { record } = await findTerms(tx, token, clock.now());
  // First, so that concurrent changes of one team run one after the other.
  await lockOwners(tx, mintAccountId(record.invitation.accountId));
  const locked = await lockInvitationByDigest(tx, digestLinkToken(token));
  if (!locked) throw invalidInvitationError();
  // Locked, so that they still have this email when they join.
  const person = await lockPersonByEmail(tx, locked.invitation.email);
  const now = clock.now();
  return { ...termsOf(locked, { person, now }), now };
}

/**
 * Uses up a locked invitation: makes the person a member with the role it names.
 *
 * @returns the account, and the emails to send after the commit
 * @throws ServiceError VALIDATION_ERROR with `details.invitation_token` if they are already a
 *   member
 */
export async function joinWith(
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
    throw invalid('invitation_token', 'You are a member of this account already. Sign in.');
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
