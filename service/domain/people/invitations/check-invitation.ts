import type { InvitationTerms } from '#lib/contract/people/invitations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Origin } from '../../actor.ts';
import { limitLinks } from '../limit-links.ts';
import { findTerms } from './find-terms.ts';

/**
 * The content of an invitation, for anybody who has its link. Does not use the link up, and does not
 * say whether somebody has its address already: whoever invites may be shown the link.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED; VALIDATION_ERROR with `details.invitation_token`
 */
export async function checkInvitation(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<InvitationTerms> {
  await limitLinks(ctx, origin);
  const { record } = await findTerms(ctx.db, token, ctx.clock.now());
  const { invitation, invitedBy, accountName } = record;
  return {
    account_name: accountName,
    invited_by: invitedBy.name,
    email: invitation.email,
    role: invitation.role,
    expires_at: formatApiTime(invitation.expiresAt),
  };
}
