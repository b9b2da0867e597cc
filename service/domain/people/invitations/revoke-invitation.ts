import { mayAct, roles, type Role } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin, PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { deleteInvitation, deleteInvitationsBy, lockInvitation } from '../store/invitations.ts';
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

/**
 * Withdraws the invitations that a person made and could no longer make. Otherwise someone who is
 * about to be removed could invite themselves back.
 *
 * @param options.role the person's present role; null if they are no longer a member
 */
export async function revokeInvitationsBy(
  tx: Tx,
  {
    accountId,
    personId,
    role,
    by,
    origin,
    now,
  }: {
    accountId: AccountId;
    personId: string;
    role: Role | null;
    by: ActorReference;
    origin: Origin | null;
    now: Date;
  },
): Promise<void> {
  if (role === 'owner') return;
  const mayInvite = role !== null && mayAct(role, 'team.manage');
  const revoked = await deleteInvitationsBy(tx, {
    accountId,
    personId,
    roles: mayInvite ? ['owner'] : roles,
  });
  for (const invitation of revoked) {
    await recordAudit(tx, {
      accountId,
      by,
      origin,
      action: 'invitation.revoked',
      at: now,
      target: { kind: 'invitation', id: invitation.uuid, name: invitation.email },
      changes: { role: invitation.role },
    });
  }
}
