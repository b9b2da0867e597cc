import type { Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/roles.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { quoteName } from '../../quote-name.ts';
import type { InvitationRecord } from '../store/invitations.ts';
import { describeInvitation } from './describe-invitation.ts';

/**
 * Mails the link of an invitation, or gives it to the actor where no mail can be sent. To be called
 * after the commit. The token stands in the fragment, which no server and no log is told.
 */
export function deliverInvitation(
  ctx: Pick<Context, 'mail' | 'config'>,
  record: InvitationRecord,
  token: string,
): Invitation & { link: string | null } {
  const { invitation, invitedBy, accountName } = record;
  const link = `${ctx.config.publicUrl.origin}/invitation#${token}`;
  if (!invitation.isMailed) return { ...describeInvitation(record), link };
  ctx.mail.send({
    to: invitation.email,
    subject: `Join ${quoteName(accountName)}`,
    text: [
      `${quoteName(invitedBy.name)} invites you to the account ${quoteName(accountName)} as ${roleTable[invitation.role].label}.`,
      `The link works once, until ${formatExact(invitation.expiresAt, 'UTC')}. If you did not expect it, do nothing.`,
      link,
    ].join('\n\n'),
  });
  return { ...describeInvitation(record), link: null };
}
