import type { z } from 'zod';
import type { createInvitationInput, Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { formatApiTime, formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid, notFound } from '../../errors.ts';
import { quoteName, quoteShortName } from '../../quote-name.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { parseUuid } from '../../resource-reference.ts';
import { changeAccount } from '../accounts/account.ts';
import { digestLinkToken, isMailSent, newLinkToken } from '../links.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { refuseUnlessOwner } from '../members/rules.ts';
import {
  countInvitations,
  insertInvitation,
  listInvitationRecords,
  lockInvitation,
  updateInvitation,
  type InvitationRecord,
} from '../store/invitations.ts';
import { findMemberRowByEmail, lockOwners } from '../store/members.ts';
import { invitationEnd } from './find-open-invitation.ts';

/** The open invitations to the actor's account, newest first. */
export async function listInvitations(ctx: Context, actor: PersonActor): Promise<Invitation[]> {
  return (await listInvitationRecords(ctx.db, actor.accountId)).map(describeInvitation);
}

/** How many open invitations an account can have. */
const maxInvitations = 100;

/**
 * Invites someone to the actor's account, and changes which tokens support can see if asked to.
 *
 * @throws ServiceError FORBIDDEN if someone who is not an owner invites an owner or changes what
 *   support can see; VALIDATION_ERROR
 *   with `details.email` if the person is already a member or invited, or if there are too many
 *   invitations; RATE_LIMIT_EXCEEDED
 */
export async function createInvitation(
  ctx: Context,
  actor: PersonActor,
  { email, role, support_tokens: supportTokens }: z.output<typeof createInvitationInput>,
): Promise<Invitation & { link: string | null }> {
  const { accountId } = actor;
  const token = newLinkToken();
  // Limited because each invitation may be an email to a stranger.
  await refuseOverLimit(ctx, [{ limit: 'invitation', key: accountId }]);
  const record = await ctx.db.transaction(async (tx) => {
    // First, so that concurrent changes of one team run one after the other.
    await lockOwners(tx, accountId);
    refuseUnlessOwner(await confirmMember(tx, actor, 'team.manage'), [role]);
    if (await findMemberRowByEmail(tx, accountId, email)) {
      throw invalid('email', 'This person is already a member.');
    }
    if ((await countInvitations(tx, accountId)) >= maxInvitations) {
      throw invalid(
        'email',
        `An account can have ${maxInvitations} open invitations. Revoke one first.`,
      );
    }
    if (supportTokens !== undefined) {
      await confirmMember(tx, actor, 'account.manage');
      const input = { support: { tokens: supportTokens } };
      await changeAccount(tx, actor, { input, clock: ctx.clock });
    }
    const now = ctx.clock.now();
    const invitation = await insertInvitation(tx, {
      accountId,
      email,
      role,
      digest: digestLinkToken(token),
      isMailed: isMailSent(ctx),
      invitedById: actor.personId,
      createdAt: now,
      expiresAt: invitationEnd(now),
    });
    if (!invitation) {
      throw invalid('email', 'This person is already invited. Send the invitation again instead.');
    }
    await recordAudit(tx, {
      actor,
      action: 'invitation.created',
      at: now,
      target: { kind: 'invitation', id: invitation.uuid, name: email },
      changes: { role, expires_at: invitation.expiresAt },
    });
    return await lockInvitation(tx, accountId, invitation.uuid);
  });
  if (!record) throw new Error('the invitation was not stored');
  return deliverInvitation(ctx, record, token);
}

/**
 * Sends an invitation again, with a new link that works for 72 hours; the previous link stops
 * working. From then on, the invitation counts as made by the actor.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN if it invites an owner and the actor is not an owner;
 *   RATE_LIMIT_EXCEEDED
 */
export async function renewInvitation(
  ctx: Context,
  actor: PersonActor,
  input: { invitation: string },
): Promise<Invitation & { link: string | null }> {
  const { accountId } = actor;
  const uuid = parseUuid(input.invitation);
  const token = newLinkToken();
  // Limited because each invitation may be an email to a stranger.
  await refuseOverLimit(ctx, [{ limit: 'invitation', key: accountId }]);
  const record = await ctx.db.transaction(async (tx) => {
    await lockOwners(tx, accountId);
    const current = await confirmMember(tx, actor, 'team.manage');
    const found = await lockInvitation(tx, accountId, uuid);
    if (!found) throw notFound();
    refuseUnlessOwner(current, [found.invitation.role]);
    const now = ctx.clock.now();
    await updateInvitation(tx, found.invitation, {
      digest: digestLinkToken(token),
      isMailed: isMailSent(ctx),
      invitedById: actor.personId,
      createdAt: now,
      expiresAt: invitationEnd(now),
    });
    await recordAudit(tx, {
      actor,
      action: 'invitation.renewed',
      at: now,
      target: { kind: 'invitation', id: uuid, name: found.invitation.email },
      changes: { role: found.invitation.role, expires_at: invitationEnd(now) },
    });
    return await lockInvitation(tx, accountId, uuid);
  });
  if (!record) throw notFound();
  return deliverInvitation(ctx, record, token);
}

/**
 * Emails the link of an invitation, or returns it to the actor if no email can be sent. Call it
 * after the commit. The token is in the fragment of the URL, which browsers do not send and so no
 * server logs.
 */
function deliverInvitation(
  ctx: Pick<Context, 'mail' | 'config'>,
  record: InvitationRecord,
  token: string,
): Invitation & { link: string | null } {
  const { invitation } = record;
  const link = `${ctx.config.publicUrl.origin}/invitation#${token}`;
  if (!invitation.isMailed) return { ...describeInvitation(record), link };
  mailInvitation(ctx, { ...record, link });
  return { ...describeInvitation(record), link: null };
}

export function mailInvitation(
  ctx: Pick<Context, 'mail'>,
  {
    invitation,
    invitedBy,
    accountName,
    link,
  }: {
    invitation: Pick<InvitationRecord['invitation'], 'email' | 'role' | 'expiresAt'>;
    invitedBy: { name: string };
    accountName: string;
    link: string;
  },
): void {
  ctx.mail.send({
    kind: 'invitation',
    to: invitation.email,
    subject: `Join ${quoteShortName(accountName)}`,
    paragraphs: [
      `${quoteName(invitedBy.name)} invites you to the account ${quoteName(accountName)} as ${roleTable[invitation.role].label}.`,
      `The link works once, until ${formatExact(invitation.expiresAt, 'UTC')}. If you did not expect it, do nothing.`,
    ],
    action: { label: 'Accept the invitation', url: link },
  });
}

/** An invitation as the team sees it: never its link. */
function describeInvitation({ invitation, invitedBy }: InvitationRecord): Invitation {
  return {
    uuid: invitation.uuid,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitedBy,
    created_at: formatApiTime(invitation.createdAt),
    expires_at: formatApiTime(invitation.expiresAt),
    was_mailed: invitation.isMailed,
  };
}
