import type { Role } from '#lib/contract/rights/roles.ts';
import { mayAct, roles } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { deleteInvitationsBy } from '../store/invitations.ts';

/**
 * Withdraws the invitations that a person made and could no longer make. Otherwise somebody who is
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
