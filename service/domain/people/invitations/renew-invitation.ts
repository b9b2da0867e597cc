import type { Invitation } from '#lib/contract/people/invitations.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { isMailSent } from '../is-mail-sent.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { refuseUnlessOwner } from '../members/rules.ts';
import { lockInvitation, updateInvitation } from '../store/invitations.ts';
import { lockOwners } from '../store/members.ts';
import { deliverInvitation } from './deliver-invitation.ts';
import { digestLinkToken, newLinkToken } from '../link-token.ts';
import { invitationEnd } from './rules.ts';

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
