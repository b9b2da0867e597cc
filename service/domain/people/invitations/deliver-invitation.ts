import type { Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { quoteName, quoteShortName } from '../../quote-name.ts';
import type { InvitationRecord } from '../store/invitations.ts';
import { describeInvitation } from './describe-invitation.ts';

/**
 * Emails the link of an invitation, or returns it to the actor if no email can be sent. Call it
 * after the commit. The token is in the fragment of the URL, which browsers do not send and so no
 * server logs.
 */
export function deliverInvitation(
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
