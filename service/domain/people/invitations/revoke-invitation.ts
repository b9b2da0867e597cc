import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { deleteInvitation, lockInvitation } from '../store/invitations.ts';
import { lockOwners } from '../store/members.ts';

/**
 * Withdraws an invitation. @throws ServiceError NOT_FOUND, also once it was accepted
 */
export async function revokeInvitation(
  ctx: Context,
  actor: PersonActor,
  input: { invitation: string },
): Promise<void> {
  const { accountId } = actor;
  const uuid = parseUuid(input.invitation);
  await ctx.db.transaction(async (tx) => {
    await lockOwners(tx, accountId);
    await confirmMember(tx, actor, 'team.manage');
    const found = await lockInvitation(tx, accountId, uuid);
    if (!found) throw notFound();
    const { invitation } = found;
    await deleteInvitation(tx, invitation);
    await recordAudit(tx, {
      actor,
      action: 'invitation.revoked',
      at: ctx.clock.now(),
      target: { kind: 'invitation', id: invitation.uuid, name: invitation.email },
      changes: { role: invitation.role },
    });
  });
}
