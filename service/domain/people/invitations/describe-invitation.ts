import type { Invitation } from '#lib/contract/people/invitations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { InvitationRecord } from '../store/invitations.ts';

/** An invitation as the team sees it: never its link. */
export function describeInvitation({ invitation, invitedBy }: InvitationRecord): Invitation {
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
