import type { z } from 'zod';
import type { Invitation, createInvitationInput } from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { invalid } from '../../errors.ts';
import { isMailSent } from '../is-mail-sent.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { changeAccount } from '../accounts/change-account.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { refuseUnlessOwner } from '../members/rules.ts';
import { countInvitations, insertInvitation, lockInvitation } from '../store/invitations.ts';
import { findMemberRowByEmail, lockOwners } from '../store/members.ts';
import { deliverInvitation } from './deliver-invitation.ts';
import { digestLinkToken, newLinkToken } from '../link-token.ts';
import { invitationEnd } from './rules.ts';

/** How many open invitations an account can have. */
const maxInvitations = 100;

/**
 * Invites somebody to the actor's account, and changes which tokens support can see if asked to.
 *
 * @throws ServiceError FORBIDDEN if somebody who is not an owner invites an owner or changes what
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
      throw invalid('email', 'This person is a member already.');
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
      throw invalid('email', 'This person is invited already. Send the invitation again instead.');
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
